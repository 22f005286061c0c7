/*
 * Kills the server and Litestream again and again under load, restores to an empty folder each
 * time, and looks for every quote that was acknowledged two seconds before the kill:
 * `node benches/replication.mjs [KILLS] [POSTERS]`. `just test-replication` runs it.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";

const [KILLS, POSTERS] = [Number(process.argv[2] ?? 5), Number(process.argv[3] ?? 16)];
/** How long before a kill a quote must have been acknowledged to be found again. */
const LOSS_MS = 2000;
const root = path.resolve(import.meta.dirname, "..");
const guardpost = process.env.GUARDPOST ?? path.join(root, "target/debug/guardpost");
const litestream = execFileSync("bash", [path.join(root, "benches/litestream.sh")], {
  encoding: "utf8",
}).trim();

const folder = mkdtempSync(path.join(tmpdir(), "replication-"));
const data = path.join(folder, "data");
const port = await freePort();
writeFileSync(
  path.join(folder, "config.toml"),
  `[server]
listen = "127.0.0.1:${port}"
trusted_proxies = ["127.0.0.0/8"]
[limits]
form_max = 1000000
[data]
dir = "${data}"
replicated = true
`,
);
writeFileSync(
  path.join(folder, "litestream.yml"),
  `dbs:
  - path: ${data}/guardpost.db
    monitor-interval: 250ms
    replica:
      type: file
      path: ${folder}/replica
      sync-interval: 250ms
`,
);

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

const children = new Set();
process.on("exit", () => {
  for (const child of children) child.kill("SIGKILL");
});

/** Starts a program that ends with this one at the latest. */
function start(program, ...args) {
  const child = spawn(program, args, { cwd: folder });
  children.add(child);
  child.on("exit", () => children.delete(child));
  child.stderr.resume();
  return child;
}

function run(program, ...args) {
  return execFileSync(program, args, {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 2 ** 30,
    stdio: ["ignore", "pipe", "pipe"],
  });
}

async function startServer() {
  const server = start(guardpost, "serve", "--hold-mail");
  for await (const line of createInterface({ input: server.stdout })) {
    if (line.startsWith("  Data")) break;
  }
  server.stdout.resume();
  return server;
}

function startLitestream() {
  const replicator = start(litestream, "replicate", "-config", "litestream.yml");
  replicator.stdout.resume();
  return replicator;
}

let posts = 0;
/** When each quote was acknowledged, by id. */
const acknowledged = new Map();

/** Posts one quote after the other, until the server is gone. */
async function postAll() {
  for (;;) {
    const n = ++posts;
    const body = {
      first_name: "Maria",
      last_name: "Lopez",
      email: `maria${n}@visitor.example`,
      phone: "(713) 555-0188",
      service_type: "fire-watch",
      location: `Houston, lot ${n}`,
      start_date: "2099-12-01",
      duration: "1-week",
      description: `We need an officer at lot ${n} from Monday on.`,
      emergency_contact: false,
    };
    try {
      const answer = await fetch(`http://127.0.0.1:${port}/api/quotes`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "x-forwarded-for": `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`,
        },
        body: JSON.stringify(body),
      });
      const receipt = await answer.json();
      if (answer.status === 201) acknowledged.set(receipt.id, performance.now());
      else if (answer.status !== 503) throw new Error(`${answer.status} ${JSON.stringify(receipt)}`);
    } catch (error) {
      if (error instanceof TypeError || error instanceof SyntaxError) return;
      throw error;
    }
  }
}

/** The ids of all quotes in a data folder, after a check of the whole database. */
function quotesIn(where) {
  const report = JSON.parse(run(guardpost, "check", "--json", "--data", where));
  const faults = report.lines.filter((line) => line.level === "fault");
  if (faults.length > 0) throw new Error(JSON.stringify(faults));
  const rows = run(guardpost, "export-quotes", "--format", "json", "--data", where);
  return new Set(JSON.parse(rows).map((row) => row.id));
}

/** Restores the replica to an empty folder, with the key files that were copied once. */
function restore(round) {
  const target = path.join(folder, `restored-${round}`);
  mkdirSync(target, { mode: 0o700 });
  for (const key of ["auth-keys.json", "address.key"]) {
    copyFileSync(path.join(data, key), path.join(target, key));
  }
  run(litestream, "restore", "-config", "litestream.yml", "-o", `${target}/guardpost.db`, `${data}/guardpost.db`);
  return target;
}

let worst = 0;
let slowest = 0;
for (let round = 1; round <= KILLS; round++) {
  const processes = [await startServer(), startLitestream()];
  const posters = Array.from({ length: POSTERS }, postAll);
  const before = acknowledged.size;
  await pause(3000 + Math.random() * 2000);
  const killed = performance.now();
  for (const one of processes) one.kill("SIGKILL");
  await Promise.all([...processes.map((one) => once(one, "exit")), ...posters]);

  const started = performance.now();
  const target = restore(round);
  const restoring = performance.now() - started;
  const found = quotesIn(target);
  const missing = [...acknowledged].filter(([id]) => !found.has(id));
  const ages = missing.map(([, at]) => killed - at);
  const oldest = Math.max(0, ...ages);
  worst = Math.max(worst, oldest);
  slowest = Math.max(slowest, restoring);
  console.log(
    `kill ${round}: ${acknowledged.size - before} quotes acknowledged, ${missing.length} of ${acknowledged.size} not in the replica, the oldest ${Math.round(oldest)} ms before; restored in ${Math.round(restoring)} ms`,
  );
  if (oldest > LOSS_MS) throw new Error(`lost a quote ${Math.round(oldest)} ms old; see ${folder}`);
  if (acknowledged.size === before) throw new Error("no quote was acknowledged");
  rmSync(target, { recursive: true });
}
const kept = quotesIn(data);
const lost = [...acknowledged.keys()].filter((id) => !kept.has(id));
if (lost.length > 0) throw new Error(`the server itself lost ${lost.length} quotes; see ${folder}`);
rmSync(folder, { recursive: true });
console.log(
  `${KILLS} kills, ${POSTERS} posters, ${acknowledged.size} quotes: at most ${Math.round(worst)} ms lost with the machine, restored in at most ${Math.round(slowest)} ms, none lost with the process`,
);
