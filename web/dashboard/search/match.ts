interface Named {
  title: string;
}

/** Places whose name begins with what is typed, then those that hold it. */
export function matchPlaces<T extends Named>(places: readonly T[], text: string): T[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return [...places];
  const ranked = places.flatMap((place) => {
    const name = place.title.toLowerCase();
    if (name.startsWith(wanted)) return [{ place, rank: 0 }];
    return name.includes(wanted) ? [{ place, rank: 1 }] : [];
  });
  return ranked.sort((a, b) => a.rank - b.rank).map(({ place }) => place);
}

/** The number of an order or payment, as they are printed. */
export const isWholeNumber = (text: string): boolean => /^[0-9A-Z]{12}(-\d+)?$/.test(text);
