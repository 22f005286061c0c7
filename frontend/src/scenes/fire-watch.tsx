// Scene: a dark corridor, a hose cabinet, an alarm panel and a guard with a flashlight.
import { Beam, Guard, SceneFrame } from './parts';

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
