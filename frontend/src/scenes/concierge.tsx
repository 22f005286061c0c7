// Scene: a lobby at night with the desk lamp on, an officer at the desk and the elevator open.
import { Beam, SceneFrame } from './parts';

export function Concierge() {
  return (
    <SceneFrame>
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

      <Beam id="desk-lamp" d="M196 206h50l150 90H70z" from={[220, 200]} to={[220, 300]} />
      <Beam id="desk-lamp-up" d="M206 184h28l60-92H150z" from={[220, 190]} to={[220, 96]} />
      <path className="figure" d="M306 262l6-42c2-12 9-17 20-17h38c11 0 18 5 20 17l6 42z" />
      <path className="face" d="M338 172v13c0 9 5 15 13 15s13-6 13-15v-13z" />
      <path className="figure" d="M334 176c-3-15 4-24 17-24s20 8 17 22c-4-5-9-8-14-8-8 0-14 4-20 10z" />
      <path className="line thin" d="M341 203l10 14 10-14M351 217v40M312 226l6 14M390 226l-6 14" />

      <path className="near" d="M150 252h330l-14 96H164z" />
      <path className="mid" d="M136 238h358v18H136z" />
      <path className="line" d="M136 238h358v18H136zM150 256l14 92h302l14-92M128 348h374" />
      <path className="line thin" d="M206 256l6 92M424 256l-6 92" />
      <path className="line" d="M208 238v-12h26M220 226v-26" />
      <path className="lit" d="M204 182h34l10 24h-54z" />
      <path className="line" d="M204 182h34l10 24h-54zM204 238h34" />
      <path className="line" d="M250 238l6-7h38l6 7M275 231v7M414 238v-30h46v30M420 238h34" />
      <path className="near" d="M418 212h38v22h-38z" />
      <path className="lit" d="M364 238a10 8 0 0 1 20 0z" />
    </SceneFrame>
  );
}
