// Concierge: a lobby at night, the desk lamp on, the officer behind the book, the elevator waiting.
import { Sheet } from './parts';

export function Concierge() {
  return (
    <Sheet>
      <path className="far" d="M0 0h640v300H0z" />
      <path className="near" d="M0 300h640v100H0z" />
      <path
        className="line thin"
        d="M0 300h640M0 34h640M120 300L40 400M520 300l80 100M320 300v100M230 300l-50 100M410 300l50 100"
      />

      <path className="sky" d="M30 70h110v230H30z" />
      <path className="stars" d="M58 100h0M96 128h0M120 92h0M70 160h0" />
      <path className="mid" d="M30 300v-70h26v-30h24v46h22v-64h20v50h18v68z" />
      <path className="line" d="M30 300V70h110v230M85 70v230" />
      <path className="line thin" d="M79 196v26M91 196v26" />

      <path className="mid" d="M494 96h112v204H494z" />
      <path className="near" d="M506 118h44v182h-44zM550 118h44v182h-44z" />
      <path className="line" d="M494 300V96h112v204M506 300V118h88v182M550 118v182" />
      <path className="line thin" d="M618 190v26M614 198h8" />
      <path className="line thin" d="M530 80h40v16h-40z" />
      <path className="lit" d="M544 92l6-9 6 9z" />

      <path className="mid" d="M214 92h212v96H214z" />
      <path className="line" d="M214 92h212v96H214z" />
      <path className="line thin" d="M214 124h212M214 156h212M256 92v96M299 92v96M341 92v96M384 92v96" />
      <path
        className="line thin"
        d="M228 108v8M270 108v8M312 108v8M396 108v8M228 140v8M354 140v8M396 140v8M270 172v8M354 172v8"
      />
      <path className="tag" d="M266 98h20v20h-20zM350 162h24v20h-24z" />

      <path className="glow" d="M214 214L110 330h290l-70-116z" />
      <g className="figure">
        <path d="M318 262l4-42c1-11 8-17 18-17h22c10 0 17 6 18 17l4 42z" />
        <path d="M337 182a14 15 0 0 0 28 0v-14h-28z" />
        <path d="M335 172c-2-14 6-21 16-21 12 0 19 7 16 20-6-7-24-8-32 1z" />
      </g>
      <path className="line thin" d="M344 203l7 12 8-12M351 215v40" />

      <path className="near" d="M150 252h330l-14 96H164z" />
      <path className="mid" d="M136 238h358v18H136z" />
      <path className="line" d="M136 238h358v18H136zM150 256l14 92h302l14-92M128 348h374" />
      <path className="line thin" d="M206 256l6 92M424 256l-6 92" />
      <path className="line" d="M208 238v-12h26M220 226v-26" />
      <path className="lit" d="M204 182h34l10 24h-54z" />
      <path className="line" d="M204 182h34l10 24h-54zM204 238h34" />
      <path className="line" d="M268 238l6-8h44l6 8M296 230v8M410 238v-26h44v26M418 212v26" />
      <path className="line thin" d="M432 218v8" />
      <path className="lit" d="M384 230a12 8 0 0 1 24 0z" />
      <path className="line thin" d="M384 232h24v6M396 222v-4" />
    </Sheet>
  );
}
