export const COMMANDS: Readonly<Record<string, { file: string; does: string; takes: readonly string[] }>>;
