// Scene: a camera on its mast and its field of view between containers.
import { Beam, Ground, SceneFrame, Stars } from './parts';

export function Surveillance() {
  return (
    <SceneFrame>
      <Stars />
      <Ground />
      <path className="mid" d="M424 214h168v86H424zM470 142h170v72H470z" />
      <path className="line" d="M424 214h168v86H424zM470 142h170M470 142v72h170" />
      <path
        className="line thin"
        d="M442 226v62M460 226v62M478 226v62M496 226v62M514 226v62M532 226v62M550 226v62M570 214v86M488 154v48M506 154v48M524 154v48M542 154v48M560 154v48M578 154v48M596 154v48M614 154v48"
      />
      <path className="mid" d="M190 222h150v78H190z" />
      <path
        className="line"
        d="M190 222h150v78H190zM340 300v-40h22v40M202 300v10M216 300v10M318 300v10M332 300v10"
      />
      <path className="line thin" d="M265 222v78M256 254v14M274 254v14M206 238h44M206 250h44M282 238h44" />
      <Beam id="cone" d="M140 92L200 388h440V226z" from={[140, 92]} to={[560, 380]} />

      <path className="shade" d="M392 362h40l96 18H440z" />
      <path
        className="figure"
        d="M386 364l5-44-7-18c-3-13 4-25 16-27l12-2c8-1 12 5 14 13l6 20 16 9-4 9-19-8-8-11-2 20 15 16 5 24h-12l-6-19-15-15-4 33z"
      />
      <circle className="figure" cx="413" cy="262" r="11" />
      <path className="line" d="M440 312l26-34M459 274l5 7 9-2M440 312l10 4" />

      <path
        className="line thin"
        d="M200 310v78M270 310v78M340 310v78M410 372v16M480 310v78M550 310v78M620 310v78M130 310v78M60 310v78M0 318h384M470 318h170M0 388h640"
      />
      <path
        className="line hair"
        d="M0 330l58 58M0 358l30 30M20 318l70 70M60 318l70 70M100 318l70 70M140 318l70 70M180 318l70 70M220 318l70 70M260 318l70 70M300 318l70 70M340 318l62 62M480 338l50 50M480 366l22 22M500 318l70 70M540 318l70 70M580 318l60 60M620 318l20 20M20 388l70-70M60 388l70-70M100 388l70-70M140 388l70-70M180 388l70-70M220 388l70-70M260 388l70-70M300 388l70-70M340 388l50-50M480 378l60-60M510 388l70-70M550 388l70-70M590 388l50-50"
      />
      <path className="line thin" d="M0 310h376M476 310h164" />

      <path className="line bold" d="M70 400V62" />
      <path className="line" d="M70 82h36M70 106l24-22M54 62h32" />
      <path className="mid" d="M100 62l48 13-6 26-48-13z" />
      <path className="line" d="M100 62l48 13-6 26-48-13zM90 56l68 18" />
      <circle className="lit" cx="139" cy="88" r="6" />
    </SceneFrame>
  );
}
