const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'];

/** The size of a file as the language writes it: `2.4 MB`. */
export function formatSize(bytes: number, language: string): string {
  const step = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), UNITS.length - 1);
  // The short form of this one has no plural: `11 byte`.
  const unitDisplay = step === 0 ? 'long' : 'short';
  const format = { style: 'unit', unit: UNITS[step], unitDisplay, maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(language, format).format(bytes / 1000 ** step);
}
