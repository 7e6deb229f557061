/** Other programs: run to their end, waited for only so long, and stopped. Knows no editor. */
import { type ChildProcess, spawn } from "node:child_process";

export interface Ended {
  code: number | null;
  output: string;
}

export interface Watch {
  /** Told every line that the program prints. */
  log: (line: string) => void;
  signal: AbortSignal;
}

/** Something took longer than it may. */
export class TooLate extends Error {}

/** Runs a command to its end; rejects when it cannot be started or is aborted, which kills it. */
export function run(command: readonly string[], watch: Watch): Promise<Ended> {
  const [file = "", ...args] = command;
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: ["ignore", "pipe", "pipe"], signal: watch.signal, killSignal: "SIGKILL", windowsHide: true });
    let output = "";
    let line = "";
    const take = (data: Buffer): void => {
      const text = data.toString();
      output += text;
      const parts = (line + text).split(/\r?\n/);
      line = parts.pop() ?? "";
      parts.forEach(watch.log);
    };
    child.stdout.on("data", take);
    child.stderr.on("data", take);
    child.once("error", reject);
    child.once("close", (code) => {
      if (line !== "") watch.log(line);
      resolve({ code, output });
    });
  });
}

/** What `work` comes to. After `ms` milliseconds it is waited for no longer: `giveUp` is called, and TooLate raised with what that answers. */
export async function within<T>(ms: number, work: Promise<T>, giveUp: () => string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new TooLate(giveUp()));
    }, ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Ends a program that does not answer, and only that one. What it started may still hold its pipes: they are closed from here. */
export function stopForGood(child: ChildProcess | undefined): void {
  child?.stdin?.destroy();
  child?.stdout?.destroy();
  child?.kill("SIGKILL");
}
