// Scene: a guard post at night with one lit window and a road.
import { Beam, Ground, SceneFrame, Stars } from './parts';

export function GuardPost() {
  return (
    <SceneFrame>
      <Stars />
      <path className="stars" d="M40 96h0M200 120h0M270 60h0M500 36h0M430 70h0M570 170h0M20 180h0" />
      <Ground />
      <path className="lit-far" d="M46 254h5v6h-5zM112 236h5v6h-5zM330 232h5v6h-5zM524 236h5v6h-5z" />
      <path className="near" d="M90 300h70l260 100H150z" />
      <path className="line thin" d="M90 300l60 100M160 300l260 100" />
      <path className="line thin dash" d="M126 304l150 96" />

      <path
        className="line thin"
        d="M0 252h84M0 276h84M12 300v-60M36 300v-60M60 300v-60M84 300v-60M12 240l8-10M36 240l8-10M60 240l8-10M84 240l8-10M500 236h140M500 268h140M512 300v-76M544 300v-76M576 300v-76M608 300v-76M512 224l8-10M544 224l8-10M576 224l8-10M608 224l8-10"
      />

      <Beam id="window" d="M286 268h124l170 132H90z" from={[340, 262]} to={[330, 400]} />
      <path className="mid" d="M270 170h210v164H270z" />
      <path className="near" d="M426 170h54v164h-54z" />
      <path className="near" d="M248 146h254l10 26H238z" />
      <path className="line" d="M270 172v162h210V172M238 172h274l-10-26H248zM426 172v162" />
      <path className="lit" d="M286 190h124v78H286z" />
      <path
        className="figure-lit"
        d="M314 268c0-26 14-33 34-33s34 7 34 33zM335 214v8c0 8 5 13 13 13s13-5 13-13v-8zM331 213c-1-11 5-18 17-18s17 6 17 13l11 5z"
      />
      <path className="figure-lit" d="M388 268v-16h18v16zM292 268v-14h10v14zM302 257h5v8h-5z" />
      <path className="line" d="M286 190h124v78H286zM280 276h136M438 334V200h30v134" />
      <path className="line thin" d="M348 190v6M444 268h4" />
      <Beam id="roof-lamp" d="M350 104h18l70 68H280z" from={[358, 100]} to={[358, 176]} />
      <path className="line" d="M330 146V96M330 96h24" />
      <path className="lit" d="M350 92h18l6 12h-30z" />
      <path className="line thin" d="M470 146V76M462 84h16M464 94h12" />

      <path className="mid" d="M212 348v-66h26v66z" />
      <path className="line" d="M212 348v-66h26v66M204 348h42" />
      <path className="barrier" d="M226 292L54 180" />
      <path className="barrier-marks" d="M226 292L54 180" />
      <path className="line thin" d="M222 298L50 186l7-11 172 112" />
    </SceneFrame>
  );
}
