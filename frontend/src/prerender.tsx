// The entry of the prerenderer (built with `vite build --ssr`, run by scripts/prerender.mjs).
export { documents } from './documents';
export { renderScenes, renderSocialImages } from './social-images';
