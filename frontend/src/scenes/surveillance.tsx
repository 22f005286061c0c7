// Surveillance: a camera on its mast, and what its cone catches between the containers.
import { Ground, Sheet, Stars } from './parts';

export function Surveillance() {
  return (
    <Sheet>
      <Stars />
      <Ground />
      <path className="glow" d="M142 96L258 388h382V262z" />
      <path className="mid" d="M424 214h168v86H424zM470 142h168v72H470z" />
      <path className="line" d="M424 214h168v86H424zM470 142h170M470 142v72h170" />
      <path
        className="line thin"
        d="M442 226v62M460 226v62M478 226v62M496 226v62M514 226v62M532 226v62M550 226v62M570 214v86M488 154v48M506 154v48M524 154v48M542 154v48M560 154v48M578 154v48M596 154v48M614 154v48"
      />
      <path className="mid" d="M196 226h150v74H196z" />
      <path className="line" d="M196 226h150v74H196zM346 300v-44h24v44" />
      <path className="line thin" d="M271 226v74M262 256v12M280 256v12M212 240h44M212 252h44M288 240h44" />

      <path
        className="figure"
        d="M386 366l6-42-8-20c-3-12 4-24 16-26l12-2c8 0 12 6 14 14l6 20 14 10-4 7-18-8-8-12-2 20 14 18 4 28h-10l-6-24-14-14-6 31z"
      />
      <circle className="figure" cx="412" cy="264" r="11" />
      <path className="line" d="M438 320l30-16M464 298l10 6M470 296l4 12" />
      <path className="shade" d="M386 366h42l120 22H452z" />

      <path
        className="line thin"
        d="M0 316h640M0 388h640M40 316v84M120 316v84M200 316v84M280 316v84M360 316v84M440 316v84M520 316v84M600 316v84"
      />
      <path
        className="line hair"
        d="M0 340l40-24 80 72 80-72 80 72 80-72 80 72 80-72 80 72 40-36M40 388l80-72 80 72 80-72 80 72 80-72 80 72 80-72"
      />

      <path className="line bold" d="M70 400V66" />
      <path className="line" d="M70 84h34M70 104l22-20M56 66h28" />
      <path className="mid" d="M100 66l46 12-6 24-46-12z" />
      <path className="line" d="M100 66l46 12-6 24-46-12zM112 93l-8-9" />
      <path className="line thin" d="M92 60l62 16" />
      <circle className="lit" cx="139" cy="90" r="5" />
    </Sheet>
  );
}
