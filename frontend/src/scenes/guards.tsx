// Security guards: a gate house with its lamp lit, a barrier that is down, and the guard who opens it.
import { Ground, Guard, Sheet, Stars } from './parts';

export function Guards() {
  return (
    <Sheet>
      <Stars />
      <Ground />
      <path className="near" d="M300 300h90l150 100H200z" />
      <path className="line thin" d="M300 300l-100 100M390 300l150 100" />
      <path className="line thin dash" d="M345 306l18 94" />

      <path
        className="line thin"
        d="M424 300v-86h216M424 238h216M424 276h216M460 300v-86M496 300v-86M532 300v-86M568 300v-86M604 300v-86M424 214l10-12M460 214l10-12M496 214l10-12M532 214l10-12M568 214l10-12M604 214l10-12"
      />

      <path className="glow" d="M206 182l150 150H110l-34-10V182z" />
      <path className="mid" d="M84 172h126v150H84z" />
      <path className="near" d="M70 156h154l8 18H62z" />
      <path className="line" d="M84 174v148h126V174M62 174h170l-8-18H70z" />
      <path className="lit" d="M98 192h62v52H98z" />
      <path
        className="figure-lit"
        d="M112 244c0-14 6-18 14-18s14 4 14 18zM118 216a8 9 0 0 0 16 0v-4h-16zM115 212c0-7 4-10 11-10s11 3 11 10l4 2h-26z"
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

      <Guard x={318} y={362} tall={172} arm="stop" />
    </Sheet>
  );
}
