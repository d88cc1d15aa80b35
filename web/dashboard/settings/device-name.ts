/** What people call a browser, from what it calls itself. */
const BROWSERS: ReadonlyArray<[RegExp, string]> = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrom(e|ium)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const SYSTEMS: ReadonlyArray<[RegExp, string]> = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];

const nameIn = (text: string, names: ReadonlyArray<[RegExp, string]>) =>
  names.find(([pattern]) => pattern.test(text))?.[1];

/** `Firefox, Linux`; what is not known stays as it is. */
export function toDevice(userAgent: string): string {
  const known = [nameIn(userAgent, BROWSERS), nameIn(userAgent, SYSTEMS)].filter(Boolean);
  return known.length > 0 ? known.join(', ') : userAgent.slice(0, 60);
}
