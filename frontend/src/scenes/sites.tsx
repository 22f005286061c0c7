// Scene: a tower crane, a building frame and a lit site cabin.

import { Beam, Ground, Guard, SceneFrame, Stars } from './parts';

export function Construction() {
  return (
    <SceneFrame>
      <Stars />
      <Ground />
      <path className="far" d="M330 120h190v180H330z" />
      <path
        className="line"
        d="M330 300V120h190v180M393 120v180M456 120v180M322 120h206M322 165h206M322 210h206M322 255h206"
      />
      <path className="line thin" d="M346 120V96M377 120V96M409 120V100M440 120V96M472 120V104M503 120V96" />
      <path className="mid" d="M331 256h61v44h-61zM394 211h61v44h-61zM457 256h62v44h-62z" />
      <path className="line thin" d="M394 255l62-44M331 300l62-45" />

      <path className="line" d="M206 300V76M230 300V76" />
      <path
        className="line thin"
        d="M206 96l24-20M206 76l24 20M206 124l24-28M206 96l24 28M206 152l24-28M206 124l24 28M206 180l24-28M206 152l24 28M206 208l24-28M206 180l24 28M206 236l24-28M206 208l24 28M206 264l24-28M206 236l24 28M206 300l24-36M206 264l24 36"
      />
      <path className="line" d="M100 76h430M100 76l118-48 312 48M118 60h400" />
      <path
        className="line thin"
        d="M230 60l16 16 16-16 16 16 16-16 16 16 16-16 16 16 16-16 16 16 16-16 16 16 16-16 16 16 16-16 16 16 16-16 16 16 16-16 12 16M206 60l-16 16-16-16-16 16-16-16-16 16"
      />
      <path className="mid" d="M84 76h44v34H84zM232 76h28v28h-28z" />
      <path className="line" d="M84 76h44v34H84zM232 76h28v28h-28z" />
      <path className="line thin" d="M424 76v74M424 150c0 8-8 6-8 0" />
      <circle className="glow" cx="218" cy="26" r="18" />
      <circle className="lit" cx="218" cy="26" r="5" />
      <circle className="lit" cx="530" cy="74" r="4" />

      <Beam id="cabin" d="M44 280h54l70 100H0v-40z" from={[70, 276]} to={[84, 376]} />
      <path className="mid" d="M28 222h142v104H28z" />
      <path className="line" d="M28 222h142v104H28zM20 222h158M36 326v10M162 326v10" />
      <path className="lit" d="M44 240h54v40H44z" />
      <path className="line" d="M44 240h54v40H44zM71 240v40M116 326v-86h36v86" />
      <path className="line thin" d="M144 286h3" />

      <Guard x={286} y={374} height={156} arm="light" />
      <Beam id="torch-site" d="M336 288l304-20v118z" from={[336, 290]} to={[600, 330]} />
      <path className="lit" d="M330 282l13 4-2 8-13-4z" />
      <path className="line thin" d="M430 400v-66h210M430 356h210M500 334v66M570 334v66" />
    </SceneFrame>
  );
}

// Scene: the stage front and two guards facing the crowd.

export function Events() {
  return (
    <SceneFrame>
      <path className="far" d="M60 46h520v254H60z" />
      <Beam id="left-spot" d="M162 92h16l70 208H110z" from={[170, 90]} to={[180, 300]} />
      <Beam id="mid-spot" d="M312 92h16l74 208H238z" from={[320, 90]} to={[320, 300]} />
      <Beam id="right-spot" d="M462 92h16l52 208H392z" from={[470, 90]} to={[460, 300]} />
      <path className="mid" d="M60 46h44v254H60zM536 46h44v254h-44z" />
      <path className="line" d="M60 300V46h520v254M104 300V76h432v224M60 76h44M536 76h44" />
      <path
        className="line thin"
        d="M104 46l20 30 20-30 20 30 20-30 20 30 20-30 20 30 20-30 20 30 20-30 20 30 20-30 20 30 20-30 20 30 20-30 20 30 20-30 20 30 20-30 20 30 16-24M60 120l44-44M60 164l44-44M60 208l44-44M60 252l44-44M60 296l44-44M536 120l44-44M536 164l44-44M536 208l44-44M536 252l44-44M536 296l44-44"
      />
      <path className="lit" d="M160 76h20l6 16h-32zM310 76h20l6 16h-32zM460 76h20l6 16h-32z" />
      <path className="near" d="M128 216h56v84h-56zM456 216h56v84h-56z" />
      <path className="line" d="M128 300v-84h56v84M456 300v-84h56v84" />
      <path
        className="line"
        d="M170 242a14 14 0 1 1-28 0 14 14 0 0 1 28 0zM172 276a16 16 0 1 1-32 0 16 16 0 0 1 32 0zM498 242a14 14 0 1 1-28 0 14 14 0 0 1 28 0zM500 276a16 16 0 1 1-32 0 16 16 0 0 1 32 0z"
      />
      <path
        className="line thin"
        d="M306 300v-62M306 240l18-10M296 300h20M240 300v-28h40v28M352 300v-36h54v36"
      />
      <path className="near" d="M0 300h640v100H0z" />
      <path className="line" d="M0 300h640" />

      <Guard x={222} y={382} height={150} />
      <Guard x={424} y={382} height={150} left />

      <path className="line" d="M0 338h640M0 352h640" />
      <path
        className="line thin"
        d="M40 338v40M120 338v40M200 338v40M280 338v40M360 338v40M440 338v40M520 338v40M600 338v40"
      />
      <path
        className="crowd"
        d="M0 400v-28c8-8 16-8 22 0 2-18 26-20 30 0 8-8 20-6 24 4 2-22 32-24 36 0 8-8 18-6 22 2 4-16 26-16 30 2 8-6 16-4 20 2 2-20 30-22 34 0 8-8 20-6 24 2 4-18 28-18 32 0 8-8 18-6 22 0 2-20 30-22 34 0 8-8 20-6 24 2 4-20 28-20 32-2 8-6 18-6 22 2 2-20 30-22 34 0 8-8 18-6 22 2 4-18 28-18 32 0 8-8 20-6 24 0 2-22 32-22 36 0 8-8 16-6 20 0 4-16 24-14 26 0v40z"
      />
    </SceneFrame>
  );
}

// Scene: a lobby at night with the desk lamp on, an officer at the desk and the elevator open.

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
