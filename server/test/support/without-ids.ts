const ID_OR_NUMBER = /#?([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9A-Z]{12}(-\d+)?)/gi;

/** A message that repeats what was asked for, the same for whatever id that was. */
export const withoutIds = (message: unknown): string => String(message).replace(ID_OR_NUMBER, '…');
