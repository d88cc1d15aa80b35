const EU_MEMBERS = new Set(
  'AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE'.split(' '),
);

/** Whether the country is one of the 27 member states. */
export function isEuMember(country: string): boolean {
  return EU_MEMBERS.has(country);
}
