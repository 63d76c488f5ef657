// A headless Chromium, spoken to over its DevTools protocol through two pipes.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export class Chromium {
  #next = 1;
  #open = new Map();
  #rest = "";

  constructor(program) {
    this.profile = mkdtempSync(join(tmpdir(), "mj-browser-"));
    this.process = spawn(
      program,
      [
        "--headless", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
        "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
        "--disable-dev-shm-usage", "--hide-scrollbars", `--user-data-dir=${this.profile}`, "about:blank",
      ],
      { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] },
    );
    this.process.stdio[4].setEncoding("utf8").on("data", (text) => this.#read(text));
    this.process.on("exit", () => {
      for (const { reject } of this.#open.values()) reject(new Error("the browser has ended"));
      this.#open.clear();
    });
    this.events = [];
  }

  #read(text) {
    const messages = (this.#rest + text).split("\0");
    this.#rest = messages.pop();
    for (const message of messages.map((each) => JSON.parse(each))) {
      const call = this.#open.get(message.id);
      if (call === undefined) {
        this.events.push(message);
        continue;
      }
      this.#open.delete(message.id);
      if (message.error) call.reject(new Error(`${call.method}: ${message.error.message}`));
      else call.resolve(message.result);
    }
  }

  call(method, params = {}, sessionId = undefined) {
    const id = this.#next++;
    this.process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return new Promise((resolve, reject) => this.#open.set(id, { method, resolve, reject }));
  }

  // A page of its own, that hears everything it logs and asks for.
  async page({ width, height, language }) {
    const { targetId } = await this.call("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await this.call("Target.attachToTarget", { targetId, flatten: true });
    const page = new Page(this, sessionId, targetId);
    for (const domain of ["Page", "Runtime", "Log", "Network"]) await page.call(`${domain}.enable`);
    await page.call("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: width < 600 });
    await page.call("Emulation.setLocaleOverride", { locale: language });
    await page.call("Page.addScriptToEvaluateOnNewDocument", {
      source: `Object.defineProperty(navigator, "language", { get: () => ${JSON.stringify(language)} });`,
    });
    return page;
  }

  async close() {
    this.call("Browser.close").catch(() => {});
    await new Promise((resolve) => this.process.on("exit", resolve));
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

class Page {
  constructor(browser, sessionId, targetId) {
    Object.assign(this, { browser, sessionId, targetId });
  }

  call(method, params) {
    return this.browser.call(method, params, this.sessionId);
  }

  #heard(method) {
    return this.browser.events.filter((event) => event.sessionId === this.sessionId && event.method === method);
  }

  // Returns when the page's own script has run.
  async open(url) {
    await this.call("Page.navigate", { url });
    await this.evaluate(`new Promise((done) => document.readyState === "complete" ? done() : addEventListener("load", done))`);
  }

  // The value of an expression; a promise's, once it has one.
  async evaluate(expression) {
    const { result, exceptionDetails } = await this.call("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  async press(key) {
    for (const type of ["keyDown", "keyUp"]) await this.call("Input.dispatchKeyEvent", { type, key, code: key });
  }

  // What went wrong: exceptions, console, blocked loads.
  complaints() {
    return [
      ...this.#heard("Runtime.exceptionThrown").map((each) => each.params.exceptionDetails.exception?.description ?? "exception"),
      ...this.#heard("Runtime.consoleAPICalled").map((each) => `console.${each.params.type}`),
      ...this.#heard("Log.entryAdded").map((each) => each.params.entry.text),
      ...this.#heard("Page.javascriptDialogOpening").map(() => "a dialog"),
    ];
  }

  // Whatever it asked for besides itself.
  requests() {
    return this.#heard("Network.requestWillBeSent").map((each) => each.params.request.url);
  }

  async screenshot(full = true) {
    const { cssContentSize: size } = await this.call("Page.getLayoutMetrics");
    const clip = full ? { x: 0, y: 0, width: size.width, height: Math.min(size.height, 6000), scale: 1 } : undefined;
    const { data } = await this.call("Page.captureScreenshot", { format: "png", clip, captureBeyondViewport: full });
    return Buffer.from(data, "base64");
  }

  async print() {
    const { data } = await this.call("Page.printToPDF", { printBackground: true });
    return Buffer.from(data, "base64");
  }
}
