// promtool, and files for it that are gone with this process.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'mahjong-promtool-'));
process.on('exit', () => fs.rmSync(scratch, { recursive: true, force: true }));

// Throws with promtool's words. No promtool is a failure: ./dev test and ./dev deploy-check install it.
export function promtool(...args) {
  try {
    return execFileSync('promtool', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    throw new Error(error.code === 'ENOENT' ? 'there is no promtool' : `${error.stdout}${error.stderr}`);
  }
}

// The name of a new file with `value`.
export function write(name, value) {
  const file = path.join(scratch, name);
  fs.writeFileSync(file, JSON.stringify(value)); // which is YAML, too
  return file;
}
