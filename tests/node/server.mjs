// A service that needs nothing else, for tests of what any server of the suite does. MJ_BUILD_DIR has it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export class Server {
  #folder = mkdtempSync(join(tmpdir(), 'mj-server-'));
  #process;

  async start() {
    const file = join(this.#folder, 'address');
    this.#process = spawn(join(process.env.MJ_BUILD_DIR, 'bin/mj-scoring'), ['--address-file', file], { stdio: 'ignore' });
    for (let i = 0; i < 300 && !existsSync(file); ++i) await sleep(100);
    this.address = readFileSync(file, 'utf8').trim();
    [this.host, this.port] = this.address.split(':');
  }

  async stop() {
    this.#process.kill('SIGTERM');
    const [code] = await once(this.#process, 'exit');
    rmSync(this.#folder, { recursive: true });
    return code;
  }

  openFiles() {
    return readdirSync(`/proc/${this.#process.pid}/fd`).length;
  }

  residentBytes() {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${this.#process.pid}/status`, 'utf8'))[1]) * 1024;
  }
}

// Asks again until it is so, for at most so long.
export async function eventually(holds, forMs) {
  const end = Date.now() + forMs;
  while (!holds()) {
    if (Date.now() > end) return false;
    await sleep(50);
  }
  return true;
}
