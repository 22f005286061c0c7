// The portrait of a quoted person. An operator photo of the same name replaces it, as with scenes.
import { company } from '../company';

/** One face: colors, the hair behind and in front of the head, and further lines. */
type Face = { skin: string; hair: string; coat: string; back?: string; front: string; lines?: string };

const faces: Face[] = [
  {
    skin: '#e3b899',
    hair: '#8a5a33',
    coat: '#31506e',
    back: 'M18 44c-3-22 3-33 14-33s17 11 14 33z',
    front: 'M20 29c-1-12 5-18 12-18s13 6 12 18c-8-2-13-5-15-10-2 5-5 8-9 10Z',
  },
  {
    skin: '#7a4d33',
    hair: '#1d1715',
    coat: '#5d6f84',
    front: 'M20 25c-1-9 5-14 12-14s13 5 12 14c-3-5-6-7-12-7s-9 2-12 7Z',
  },
  {
    skin: '#b9835c',
    hair: '#221a1c',
    coat: '#7d4152',
    back: 'M17 52c-2-12 0-41 15-41s17 29 15 41z',
    front: 'M20 30c-1-12 5-19 12-19s13 7 12 19c-4-4-9-9-12-14-3 5-8 10-12 14Z',
  },
  {
    skin: '#d9a683',
    hair: '#4c4a4b',
    coat: '#3e5a4a',
    front: 'M21 30c-3-6-2-12 2-15l-1 9zM43 30c3-6 2-12-2-15l1 9z',
    lines: 'M23 28h7v4h-7zM34 28h7v4h-7zM30 29h4',
  },
  {
    skin: '#ecc6ac',
    hair: '#c9ced6',
    coat: '#4a4370',
    back: 'M19 36c-4-15 3-26 13-26s17 11 13 26z',
    front: 'M19 31c-1-12 6-18 13-18s14 6 13 18c-2-5-4-9-7-11-5 3-12 4-15 3-2 2-3 5-4 8Z',
  },
  {
    skin: '#c2906b',
    hair: '#2d2320',
    coat: '#2f6170',
    front:
      'M19 27c-3-9 4-17 13-17 10 0 15 7 13 17-2-4-3-6-7-8-4 2-11 2-14 0-3 2-4 4-5 8ZM25 36c3 2 11 2 14 0 0 5-3 8-7 8s-7-3-7-8Z',
  },
];

type Props = {
  person: { name: string; image: string; portrait?: string | null };
};

/**
 * The portrait of a record: its own photo, a chosen drawing, else initials.
 */
export function Portrait({ person: { name, image, portrait } }: Props) {
  const photo = company.photos?.[image];
  const face = faces[Number(/^drawing ([0-9])$/.exec(portrait ?? '')?.[1]) - 1];
  return (
    <div className="portrait" data-scene={image} aria-hidden="true">
      {photo ? (
        <img src={photo} alt="" width="64" height="64" loading="lazy" decoding="async" />
      ) : face ? (
        <Drawing face={face} />
      ) : (
        <span>{initials(name)}</span>
      )}
    </div>
  );
}

/** The first letters of the first and the last name. */
function initials(name: string): string {
  const words = name.split(' ').filter(Boolean);
  return [...new Set([words[0], words.at(-1)])].map((word) => [...(word ?? '')][0] ?? '').join('');
}

function Drawing({ face: { skin, hair, coat, back, front, lines } }: { face: Face }) {
  return (
    <svg viewBox="0 0 64 64" width="64" height="64" aria-hidden="true">
      <path fill="#d7dee6" d="M0 0h64v64H0z" />
      {back ? <path fill={hair} d={back} /> : null}
      <path fill={coat} d="M8 64c1-12 10-17 24-17s23 5 24 17z" />
      <path
        fill={skin}
        d="M27 40h10v7c0 6-10 6-10 0zM20.5 26c0-9 5-13 11.5-13s11.5 4 11.5 13-4 17-11.5 17-11.5-8-11.5-17Z"
      />
      <path fill={hair} d={front} />
      <path
        fill="none"
        stroke="#241a17"
        strokeWidth="1.4"
        strokeLinecap="round"
        d={`M27 29.5v.5M37 29.5v.5M29 37q3 2 6 0${lines ?? ''}`}
      />
    </svg>
  );
}
