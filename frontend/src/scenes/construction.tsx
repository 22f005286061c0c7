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
