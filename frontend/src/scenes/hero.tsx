// The post at three in the morning: one lit window, a road that leads up to it, and somebody inside who is awake.
import { Ground, Sheet, Stars } from './parts';

export function GuardPost() {
  return (
    <Sheet>
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

      <path className="glow" d="M286 196L96 352l90 48h250l90-52-56-152z" />
      <path className="mid" d="M270 170h210v164H270z" />
      <path className="near" d="M426 170h54v164h-54z" />
      <path className="near" d="M248 146h254l10 26H238z" />
      <path className="line" d="M270 172v162h210V172M238 172h274l-10-26H248zM426 172v162" />
      <path className="lit" d="M286 190h124v78H286z" />
      <path
        className="figure-lit"
        d="M322 268c0-24 10-32 26-32s26 8 26 32zM334 222a14 15 0 0 0 28 0v-8h-28zM330 214c0-12 7-18 18-18s18 6 18 18l7 4h-43z"
      />
      <path className="figure-lit" d="M380 268v-18h22v18zM294 268l4-26 4 26z" />
      <path className="line" d="M286 190h124v78H286zM280 276h136M438 334V200h30v134" />
      <path className="line thin" d="M348 190v6M444 268h4" />
      <path className="line" d="M330 146V96M330 96h24" />
      <path className="lit" d="M350 92h18l6 12h-30z" />
      <path className="line thin" d="M470 146V76M462 84h16M464 94h12" />

      <path className="mid" d="M212 348v-66h26v66z" />
      <path className="line" d="M212 348v-66h26v66M204 348h42" />
      <path className="barrier" d="M226 292L54 180" />
      <path className="barrier-marks" d="M226 292L54 180" />
      <path className="line thin" d="M222 298L50 186l7-11 172 112" />
    </Sheet>
  );
}
