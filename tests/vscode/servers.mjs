// Which server a window runs.
import path from "node:path";
import { ROOT } from "./setup.mjs";

/** The server of this checkout: what the setup script installed. */
export const CHECKOUT = { "surefoot.server.path": path.join(ROOT, ".venv/bin/surefoot") };

/** What every server's command line holds. */
export const SERVES = "surefoot serve";
