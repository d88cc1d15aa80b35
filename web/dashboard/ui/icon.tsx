/** Drawn by hand on a grid of 16, in the ink around them. */
const PATHS = {
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10Zm3.6-1.4L14 14',
  down: 'm4 6.5 4 4 4-4',
  person: 'M8 8.2a2.9 2.9 0 1 0 0-5.8 2.9 2.9 0 0 0 0 5.8ZM2.8 14c.5-2.6 2.5-4 5.2-4s4.700 1.400 5.200 4',
  close: 'm4 4 8 8m0-8-8 8',
  more: 'M3.500 8h.01M8 8h.01M12.500 8h.01',
  check: 'm3 8.500 3.200 3.200L13 4.800',
  out: 'M6.500 3H3v10h10V9.500M9 3h4v4M13 3 7.500 8.500',
  plus: 'M8 3v10M3 8h10',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
