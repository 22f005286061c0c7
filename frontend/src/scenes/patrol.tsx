// Mobile patrol: the marked car crosses a dark lot; its lamp sweeps the shop fronts once.
import { Ground, Sheet, Stars } from './parts';

export function Patrol() {
  return (
    <Sheet>
      <Stars />
      <Ground />
      <path className="mid" d="M0 196h640v104H0z" />
      <path className="near" d="M18 224h96v76H18zM134 224h96v76h-96zM410 224h96v76h-96zM526 224h96v76h-96z" />
      <path className="far" d="M250 212h140v88H250z" />
      <path
        className="line thin"
        d="M0 196h640M18 300v-76h96v76M134 300v-76h96v76M250 300v-88h140v88M410 300v-76h96v76M526 300v-76h96v76M320 212v88M18 240h96M134 240h96M410 240h96M526 240h96M18 256h96M134 256h96M410 256h96M526 256h96M18 272h96M134 272h96M410 272h96M526 272h96M18 288h96M134 288h96M410 288h96M526 288h96"
      />
      <path className="line" d="M244 196v-26h152v26" />
      <path className="line thin" d="M262 183h30M300 183h20M328 183h50" />

      <path className="line thin" d="M40 400l70-100M170 400l40-100M470 400l-40-100M600 400l-70-100" />
      <path className="line" d="M582 300V92h-44" />
      <path className="mid" d="M520 86h26v10h-26z" />
      <path className="line" d="M520 86h26v10h-26z" />

      <path className="glow sweep" d="M318 262L20 196v98z" />
      <path className="glow" d="M176 338L0 322v62l176-26z" />

      <path
        className="near"
        d="M168 356c-2-22 6-34 34-38l44-6c22-22 40-32 70-32h52c30 0 48 12 62 34l34 6c16 4 22 14 20 36z"
      />
      <path className="far" d="M262 312c16-16 30-22 52-22h8v22zM334 290h32c20 0 34 6 46 22h-78z" />
      <path
        className="line"
        d="M168 356c-2-22 6-34 34-38l44-6c22-22 40-32 70-32h52c30 0 48 12 62 34l34 6c16 4 22 14 20 36zM262 312c16-16 30-22 52-22h8v22zM334 290h32c20 0 34 6 46 22h-78zM328 312v44M344 324h12"
      />
      <path className="line thin" d="M188 334h282" />
      <path className="mid" d="M250 334h70l-8 14h-70z" />
      <circle className="sky" cx="232" cy="356" r="25" />
      <circle className="sky" cx="420" cy="356" r="25" />
      <path
        className="line"
        d="M257 356a25 25 0 1 1-50 0 25 25 0 0 1 50 0zM445 356a25 25 0 1 1-50 0 25 25 0 0 1 50 0zM242 356a10 10 0 1 1-20 0 10 10 0 0 1 20 0zM430 356a10 10 0 1 1-20 0 10 10 0 0 1 20 0z"
      />
      <path className="lit" d="M306 268h56l4 12h-64zM172 330l16-6v12h-18z" />
      <path className="line" d="M306 268h56l4 12h-64z" />
      <path className="line thin" d="M334 268v12" />
    </Sheet>
  );
}
