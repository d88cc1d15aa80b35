/** Which of the secrets in DATA_DIR others on this machine can read, as after a copy that did not keep their rights. */
import { stat } from 'node:fs/promises';
import path from 'node:path';

const SECRETS = ['credentials.json', 'secrets.key', 'postgres.password'];
const OTHERS_READ = 0o004;
const OTHERS_ENTER = 0o001;

export async function listReadableSecrets(dataDir: string): Promise<string[]> {
  // Windows has no such rights, and tells the same of every file.
  if (process.platform === 'win32' || !(await hasBit(dataDir, OTHERS_ENTER))) return [];
  const files = SECRETS.map((name) => path.join(dataDir, name));
  const readable = await Promise.all(files.map((file) => hasBit(file, OTHERS_READ)));
  return files.filter((_file, at) => readable[at]);
}

const hasBit = (file: string, bit: number) =>
  stat(file).then(
    ({ mode }) => (mode & bit) !== 0,
    () => false,
  );
