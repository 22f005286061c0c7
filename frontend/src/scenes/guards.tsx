// Scene: a gatehouse with its lamp lit, a closed barrier and a guard.

import { Beam, Ground, Guard, SceneFrame, Stars } from './parts';

export function Guards() {
  return (
    <SceneFrame>
      <Stars />
      <Ground />
      <path className="near" d="M300 300h90l150 100H200z" />
      <path className="line thin" d="M300 300l-100 100M390 300l150 100" />
      <path className="line thin dash" d="M345 306l18 94" />

      <path
        className="line thin"
        d="M424 300v-86h216M424 238h216M424 276h216M460 300v-86M496 300v-86M532 300v-86M568 300v-86M604 300v-86M424 214l10-12M460 214l10-12M496 214l10-12M532 214l10-12M568 214l10-12M604 214l10-12"
      />

      <Beam id="hut" d="M98 244h62l150 112H30z" from={[128, 236]} to={[150, 356]} />
      <path className="mid" d="M84 172h126v150H84z" />
      <path className="near" d="M70 156h154l8 18H62z" />
      <path className="line" d="M84 174v148h126V174M62 174h170l-8-18H70z" />
      <path className="lit" d="M98 192h62v52H98z" />
      <path
        className="figure-lit"
        d="M108 244c0-16 8-20 18-20s18 4 18 20zM118 212v4c0 5 3 8 8 8s8-3 8-8v-4zM116 211c-1-7 3-11 10-11s10 4 10 8l7 3z"
      />
      <path className="line" d="M98 192h62v52H98zM92 250h74M172 322V196h28v126" />
      <path className="line thin" d="M192 262h3" />
      <path className="line" d="M147 156v-22M147 134h18" />
      <path className="lit" d="M163 132h14l4 8h-22z" />

      <path className="mid" d="M240 322v-60h24v60z" />
      <path className="line" d="M240 322v-60h24v60M234 322h36" />
      <path className="barrier" d="M252 270h298" />
      <path className="barrier-marks" d="M252 270h298" />
      <path className="line thin" d="M252 264h300v12H252zM540 276v46" />

      <Beam id="gate-lamp" d="M164 140h14l130 246H90z" from={[170, 140]} to={[190, 380]} />
      <Guard x={322} y={372} height={186} arm="stop" />
    </SceneFrame>
  );
}

// Scene: a patrol car on a dark lot; its searchlight moves along the shop fronts once.

export function Patrol() {
  return (
    <SceneFrame>
      <Stars />
      <Ground />
      <path className="mid" d="M0 196h640v104H0z" />
      <path className="near" d="M18 224h96v76H18zM134 224h96v76h-96zM410 224h96v76h-96zM526 224h96v76h-96z" />
      <path className="far" d="M250 212h140v88H250z" />
      <path
        className="line thin"
        d="M0 196h640M18 300v-76h96v76M134 300v-76h96v76M250 300v-88h140v88M410 300v-76h96v76M526 300v-76h96v76M320 212v88M18 240h96M134 240h96M410 240h96M526 240h96M18 256h96M134 256h96M410 256h96M526 256h96M18 272h96M134 272h96M410 272h96M526 272h96M18 288h96M134 288h96M410 288h96M526 288h96"
      />
      <path className="mid" d="M244 170h152v26H244z" />
      <path className="line" d="M244 196v-26h152v26" />
      <path className="line thin" d="M262 183h30M300 183h20M328 183h50" />
      <path className="line thin" d="M40 400l70-100M150 400l46-100M490 400l-46-100M600 400l-70-100" />
      <path className="line" d="M588 300V84h-44" />
      <path className="mid" d="M526 78h26v10h-26z" />
      <path className="line" d="M526 78h26v10h-26z" />

      <g transform="translate(20 -16)">
        <Beam id="lamp" className="sweep" d="M330 262L-20 176v116z" from={[330, 262]} to={[20, 236]} />
        <Beam id="heads" d="M150 336L-20 306v92l170-46z" from={[150, 344]} to={[0, 350]} />
        <path className="shade" d="M130 382h376l-20 12H160z" />

        <path
          className="near"
          d="M144 370v-30c0-8 4-12 12-14l72-14 40-34c6-5 12-7 20-7h118c10 0 16 3 21 10l26 36 26 6c8 2 11 7 11 14v33z"
        />
        <path className="far" d="M246 312l34-28c4-3 6-4 11-4h37v32zM340 280h60c6 0 10 2 13 6l18 26h-91z" />
        <path className="glass" d="M262 308l26-22h12l-24 22zM362 308l14-24h10l-12 24z" />
        <path className="mid" d="M228 336h140l-10 18H218z" />
        <path
          className="line"
          d="M198 370h188M144 370v-30c0-8 4-12 12-14l72-14 40-34c6-5 12-7 20-7h118c10 0 16 3 21 10l26 36 26 6c8 2 11 7 11 14v33h-36M144 370h-6M246 312l34-28c4-3 6-4 11-4h37v32zM340 280h60c6 0 10 2 13 6l18 26h-91zM334 312v58M346 324h14M246 324h12M228 312h221"
        />
        <path className="line thin" d="M146 356h40M234 336h134l-10 18H222zM448 356h36" />
        <path className="face" d="M282 340l7 2v6c0 4-3 6-7 8-4-2-7-4-7-8v-6z" />
        <circle className="sky" cx="206" cy="370" r="27" />
        <circle className="sky" cx="418" cy="370" r="27" />
        <path
          className="line"
          d="M233 370a27 27 0 1 1-54 0 27 27 0 0 1 54 0zM445 370a27 27 0 1 1-54 0 27 27 0 0 1 54 0zM219 370a13 13 0 1 1-26 0 13 13 0 0 1 26 0zM431 370a13 13 0 1 1-26 0 13 13 0 0 1 26 0z"
        />
        <path className="lit" d="M312 258h60l4 12h-68zM146 340l18-4v12l-19 2zM476 336h8v12h-8z" />
        <path className="line thin" d="M312 258h60l4 12h-68zM342 258v12" />
      </g>
    </SceneFrame>
  );
}

// Scene: a guard post at night with one lit window and a road.

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
