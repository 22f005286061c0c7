// The line icons of the interface, drawn on a 24 by 24 grid with one line weight. Scenes are in `scenes/`.

const paths = {
  phone:
    'M6.5 3.5h3l1.5 4-2 1.6a12 12 0 0 0 5.9 5.9l1.6-2 4 1.5v3a2 2 0 0 1-2.2 2A16.5 16.5 0 0 1 4.500 5.700a2 2 0 0 1 2-2.200Z',
  mail: 'M3.500 5.500h17v13h-17zM4 6l8 7 8-7',
  pin: 'M12 21s-6.500-6-6.500-11a6.500 6.500 0 0 1 13 0c0 5-6.500 11-6.500 11ZM12 12.300a2.300 2.300 0 1 0 0-4.600 2.300 2.300 0 0 0 0 4.600Z',
  clock: 'M12 20.500a8.500 8.500 0 1 0 0-17 8.500 8.500 0 0 0 0 17ZM12 7v5l3.500 2',
  check: 'M4.500 12.500l5 5 10-11',
  close: 'M6 6l12 12M18 6L6 18',
  menu: 'M4 7h16M4 12h16M4 17h16',
  chevron: 'M6 9l6 6 6-6',
  arrow: 'M4 12h15M13 6l6 6-6 6',
  shield:
    'M12 3l7.500 2.500v6c0 4.500-3.200 7.900-7.500 9.500-4.300-1.600-7.500-5-7.500-9.500v-6zM8.500 12l2.500 2.500 4.500-5',
  alert: 'M12 4l9 16H3zM12 10v4.500M12 17v.500',
} as const;

export type IconName = keyof typeof paths;

/** A decorative icon: the words beside it, or its button's label, say what it means. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}
