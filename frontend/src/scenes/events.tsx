// Scene: the stage front and two guards facing the crowd.
import { Beam, Guard, SceneFrame } from './parts';

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
