// Fire watch: a dark corridor, a hose cabinet, an alarm panel that shows nothing, and the guard's light.
import { Guard, Sheet } from './parts';

export function FireWatch() {
  return (
    <Sheet>
      <path className="far" d="M0 0l260 110v150L0 400z" />
      <path className="far" d="M640 0L380 110v150l260 140z" />
      <path className="near" d="M0 400l260-140h120l260 140z" />
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

      <path className="glow" d="M392 268l-250 88 150 44h120z" />
      <path className="mid" d="M48 108l110 27v142L48 322z" />
      <path className="near" d="M58 122l90 21v124l-90 36z" />
      <path className="line" d="M48 108l110 27v142L48 322zM58 122l90 21v124l-90 36z" />
      <ellipse className="line" cx="100" cy="208" rx="29" ry="44" />
      <ellipse className="line" cx="100" cy="208" rx="19" ry="30" />
      <ellipse className="line" cx="100" cy="208" rx="8" ry="13" />
      <path className="line" d="M122 236c8 6 10 14 8 28l-6 16" />

      <path className="mid" d="M496 126l72-22v128l-72-12z" />
      <path className="near" d="M506 138l52-15v40l-52 5z" />
      <path className="line" d="M496 126l72-22v128l-72-12zM506 138l52-15v40l-52 5z" />
      <path
        className="line thin"
        d="M508 186l10 0M524 186h10M540 187h10M508 200l10 1M524 202l10 1M540 204l10 1"
      />
      <path className="lit" d="M522 226l22 4v34l-11-7-11 3z" />
      <path className="line thin" d="M533 228v-16" />

      <Guard x={410} y={352} tall={168} arm="light" left />
      <path className="lit" d="M361 262l-13 4-2-7 13-5z" />
    </Sheet>
  );
}
