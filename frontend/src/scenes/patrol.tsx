// Scene: a patrol car on a dark lot; its searchlight moves along the shop fronts once.
import { Beam, Ground, SceneFrame, Stars } from './parts';

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
