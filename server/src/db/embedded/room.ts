/**
 * Whether there is room for writes on the disk of the embedded store. PostgreSQL ends when it cannot make the next
 * file of its log, and cannot be started again before there is room: then nobody reads either. So writes are
 * refused before, while reads go on, and go through again by themselves once there is room.
 */
import { statfs } from 'node:fs/promises';

/** Some files of the log of 16 MiB each, and what starts, reads and notes write beside refused writes. */
const RESERVE_BYTES = 96 * 1024 * 1024;
const LOOK_EVERY_MS = 250;

export interface RoomWatch {
  hasRoom(): boolean;
  /** The few rows of a start go through before: one that was refused could serve no reads either. */
  refuseWrites(): void;
  stop(): void;
}

export async function watchRoom(folder: string, log: (line: string) => void): Promise<RoomWatch> {
  let hasRoom = true;
  let isStarting = true;
  const look = async () => {
    const { bavail, bsize } = await statfs(folder);
    const isRoom = bavail * bsize > RESERVE_BYTES;
    if (isRoom !== hasRoom)
      log(isRoom ? 'There is room on the disk again' : 'The disk is nearly full: nothing is written');
    hasRoom = isRoom;
  };
  await look();
  // A folder that cannot be asked says nothing of its room.
  const timer = setInterval(() => void look().catch(() => {}), LOOK_EVERY_MS);
  timer.unref();
  return {
    hasRoom: () => isStarting || hasRoom,
    refuseWrites: () => {
      isStarting = false;
    },
    stop: () => clearInterval(timer),
  };
}
