import { createTheme, type MantineColorSchemeManager, type MantineColorsTuple } from '@mantine/core';

/** The parts take their colours from our tokens; the ten shades of a part's palette are all the one ink. */
const one = (value: string): MantineColorsTuple => [
  value,
  value,
  value,
  value,
  value,
  value,
  value,
  value,
  value,
  value,
];

export const theme = createTheme({
  fontFamily: 'var(--sans)',
  fontFamilyMonospace: 'var(--mono)',
  headings: { fontFamily: 'var(--sans)', fontWeight: 'var(--weight-bold)' },
  colors: { accent: one('var(--accent)'), danger: one('var(--danger)') },
  primaryColor: 'accent',
  primaryShade: 8,
  autoContrast: false,
  defaultRadius: 'var(--radius-field)',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Modal: {
      defaultProps: {
        centered: true,
        transitionProps: { duration: 100 },
        size: '36rem',
        // A dialog's head is no second banner of the page.
        attributes: { header: { role: 'presentation' } },
      },
    },
    Menu: { defaultProps: { transitionProps: { duration: 0 }, shadow: 'md', withinPortal: true } },
    Button: { defaultProps: { loaderProps: { type: 'dots' } } },
  },
});

const KEY = 'cf-theme';
type Scheme = 'light' | 'dark' | 'auto';
const toScheme = (value: string | null): Scheme => (value === 'light' || value === 'dark' ? value : 'auto');

/** Where the look is kept: the one that the script before the first paint reads. */
export const schemeManager: MantineColorSchemeManager = {
  get: (fallback) => {
    try {
      return toScheme(localStorage.getItem(KEY));
    } catch {
      return fallback;
    }
  },
  set: (value) => {
    try {
      if (value === 'auto') localStorage.removeItem(KEY);
      else localStorage.setItem(KEY, value);
    } catch {
      // Then it holds until the page is left.
    }
  },
  subscribe: () => {},
  unsubscribe: () => {},
  clear: () => {},
};
