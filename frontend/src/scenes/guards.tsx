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
