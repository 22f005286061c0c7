// Renders Open Graph images and icons from SVG to PNG. Called by prerender.mjs at the end of the
// build.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { Resvg } from '@resvg/resvg-js';
import sharp from 'sharp';

/**
 * @param {string} root the frontend's folder, with a slash
 * @param {{ name: string, svg: string }[]} pictures
 */
export async function writeImages(root, pictures) {
  const style = await drawnStyle(root);
  await mkdir(`${root}dist/og`, { recursive: true });
  for (const { name, svg } of pictures) {
    const styled = svg.replace('>', () => `><style>${style}</style>`);
    const drawn = png(styled, 1200, [`${root}generated/heading.ttf`]);
    // A palette of 256 colors: a quarter of the bytes, which every copy of the program carries.
    const small = await sharp(drawn).flatten().png({ palette: true, quality: 95 }).toBuffer();
    await writeFile(`${root}dist/og/${name}.png`, small);
  }
  const icon = await readFile(`${root}public/favicon.svg`, 'utf8');
  await writeFile(`${root}dist/apple-touch-icon.png`, png(icon, 180));
  await writeFile(`${root}dist/icon-192.png`, png(icon, 192));
  await writeFile(`${root}dist/icon-512.png`, png(icon, 512));
  await writeFile(`${root}dist/favicon.ico`, ico(png(icon, 32), 32));
}

/** Writes the scenes as files, each with its styles inside.
 * @param {string} root @param {{ name: string, svg: string }[]} scenes */
export async function writeScenes(root, scenes) {
  const style = (await drawnStyle(root)).replace(/\s+/g, ' ');
  await mkdir(`${root}dist/scenes`, { recursive: true });
  for (const { name, svg } of scenes) {
    await writeFile(
      `${root}dist/scenes/${name}.svg`,
      svg.replace('>', () => `><style>${style}</style>`),
    );
  }
}

/**
 * The scenes' own rules with the tokens' values put in, since the picture maker knows no custom
 * properties.
 * @param {string} root
 */
async function drawnStyle(root) {
  const tokens = await readFile(`${root}src/styles/tokens.css`, 'utf8');
  const scenes = await readFile(`${root}src/styles/scenes.css`, 'utf8');
  const values = new Map(
    [...tokens.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name, value]) => [name, value]),
  );
  const rules = [...scenes.matchAll(/^(?:\.scene [^{,]*,\n)*\.scene [^{]+\{[^}]*\}/gm)].map(([rule]) => rule);
  const more = `.background{fill:var(--ink-950)} .edge-fade{stop-color:var(--ink-950)} .edge{stroke:var(--ink-900);stroke-width:1.5} .scene .lit.edge{fill:var(--amber)}
    .lit{fill:var(--amber)} text{font-family:Overpass;font-size:76px;fill:var(--ink-text);letter-spacing:-1px}`;
  return [...rules, more].join('\n').replace(/var\((--[\w-]+)\)/g, (_, name) => values.get(name) ?? 'none');
}

/** @param {string} svg @param {number} width @param {string[]} [fontFiles] */
function png(svg, width, fontFiles = []) {
  const font = { fontFiles, loadSystemFonts: false, defaultFontFamily: 'Overpass' };
  return new Resvg(svg, { fitTo: { mode: 'width', value: width }, font }).render().asPng();
}

/** An icon file that holds one PNG. @param {Buffer} image @param {number} size */
function ico(image, size) {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.writeUInt8(size, 6);
  head.writeUInt8(size, 7);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(image.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, image]);
}
