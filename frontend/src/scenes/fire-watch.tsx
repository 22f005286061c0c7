// Scene: a dark corridor, a hose cabinet, an alarm panel and a guard with a flashlight.

import { Beam, Ground, Guard, SceneFrame, Stars } from './parts';

export function FireWatch() {
  return (
    <SceneFrame>
      <path className="far" d="M0 0l260 110v150L0 400z" />
      <path className="far" d="M640 0L380 110v150l260 140z" />
      <path className="near" d="M0 400l260-140h120l260 140z" />
      <path className="line thin" d="M196 0l94 110M444 0l-94 110M116 0l204 110M524 0L320 110" />
      <path className="near" d="M250 34h140l-16 26H266zM268 76h104l-8 14h-88z" />
      <path className="line thin" d="M250 34h140l-16 26H266zM268 76h104l-8 14h-88z" />
      <path className="mid" d="M260 110h120v150H260z" />
      <path
        className="line thin"
        d="M0 0l260 110v150L0 400M640 0L380 110v150l260 140M260 110h120M260 260h120"
      />
      <path className="near" d="M286 152h32v108h-32zM322 152h32v108h-32z" />
      <path className="line thin" d="M286 260V152h68v108M320 152v108M326 208h5M309 208h5" />
      <path className="lit" d="M302 122h36v16h-36z" />
      <path
        className="sky"
        d="M307 126h5v2h-3v1h3v2h-3v1h3v2h-5zM328 126h6v2h-2v6h-2v-6h-2zM323 126h3v8h-3zM314 126l2 3 2-3h3l-3 4 3 4h-3l-2-3-2 3h-3l3-4-3-4z"
      />

      <path className="near" d="M190 172l26 7v106l-26 14zM450 172l-26 7v106l26 14z" />
      <path className="line thin" d="M190 299V172l26 7v106M450 299V172l-26 7v106M197 236v10M443 236v10" />

      <path className="mid" d="M40 106l118 28v144L40 326z" />
      <path className="near" d="M52 122l95 22v126l-95 38z" />
      <Beam id="torch" d="M352 266L20 78v256l70 40z" from={[352, 266]} to={[70, 220]} />
      <path className="line" d="M40 106l118 28v144L40 326zM52 122l95 22v126l-95 38z" />
      <ellipse className="line" cx="98" cy="206" rx="30" ry="45" />
      <ellipse className="line" cx="98" cy="206" rx="22" ry="33" />
      <ellipse className="line" cx="98" cy="206" rx="14" ry="21" />
      <ellipse className="line" cx="98" cy="206" rx="6" ry="9" />
      <path className="line" d="M122 232c8 8 12 18 9 30l-7 10" />

      <path className="mid" d="M496 126l72-22v128l-72-12z" />
      <path className="sky" d="M506 138l52-15v40l-52 5z" />
      <path className="line" d="M496 126l72-22v128l-72-12zM506 138l52-15v40l-52 5z" />
      <path
        className="line thin"
        d="M508 186h10M524 186h10M540 187h10M508 200l10 1M524 202l10 1M540 204l10 1"
      />
      <path className="lit" d="M522 232l22 4v36l-11-7-11 3z" />
      <path className="line thin" d="M533 234v-18" />

      <Guard x={404} y={362} height={178} arm="light" left />
      <path className="lit" d="M357 258l-14 3 2 9 14-3z" />
    </SceneFrame>
  );
}

// Scene: a camera on its mast and its field of view between containers.

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
