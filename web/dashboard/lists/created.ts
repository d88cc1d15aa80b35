/** The filter of a span in which something was made. */
export const created = [
  { parameter: 'createdFrom', label: 'filter.createdFrom', kind: 'day' },
  { parameter: 'createdTo', label: 'filter.createdTo', kind: 'dayEnd' },
] as const;
