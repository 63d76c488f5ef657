// The page of a recorded round, in a browser.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";

import { Chromium } from "./chromium.mjs";

const DESK = { width: 1100, height: 900 };
const PHONE = { width: 360, height: 740 };
const folder = mkdtempSync(join(tmpdir(), "mj-pages-"));
let browser;
let pages; // name → its HTML

before(() => {
  execFileSync(process.env.MJ_SAMPLE_RECORDS, [folder]);
  pages = new Map();
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".mjr"))) {
    const name = file.slice(0, -4);
    try {
      execFileSync(process.env.MJ_CTL, ["replay", "--html", join(folder, `${name}.html`), join(folder, file)], { stdio: "ignore" });
    } catch (error) {
      assert.equal(error.status, 1, `${name}: the page is written, and the record complained of`);
    }
    pages.set(name, readFileSync(join(folder, `${name}.html`), "utf8"));
  }
  browser = new Chromium(process.env.MJ_BROWSER);
});

after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function opened(name, { width, height, language = "en" }) {
  const page = await browser.page({ width, height, language });
  await page.open(pathToFileURL(join(folder, `${name}.html`)).href);
  return page;
}
const text = (page, id) => page.evaluate(`document.getElementById(${JSON.stringify(id)}).innerText`);
const click = (page, id) => page.evaluate(`document.getElementById(${JSON.stringify(id)}).click()`);
const steps = (page) => page.evaluate(`Number(document.getElementById("slider").max)`);
const FOUR = `[...document.querySelectorAll(".seat")].map((seat) => ({
  hand: seat.querySelectorAll(".hand > .tile").length, melds: seat.querySelectorAll(".meld").length }))`;
const widest = (page) => page.evaluate("document.documentElement.scrollWidth");

async function keep(page, name, full = true) {
  if (!process.env.MJ_SCREENSHOTS) return;
  writeFileSync(join(process.env.MJ_SCREENSHOTS, `${name}.png`), await page.screenshot(full));
}

async function expectQuiet(page, name) {
  assert.deepEqual(page.complaints(), [], `${name}: nothing is complained of`);
  const asked = page.requests().filter((url) => !url.startsWith("file:"));
  assert.deepEqual(asked, [], `${name}: nothing is loaded`);
}

test("each page stands for itself", () => {
  assert.ok(pages.size >= 10);
  for (const [name, html] of pages) {
    assert.doesNotMatch(html, /(?:src|href)\s*=\s*["']?(?:https?:)?\/\//i, name);
    assert.match(html, /Content-Security-Policy" content="default-src 'none'/, name);
    assert.ok(html.length < 400_000, `${name}: ${html.length} bytes`);
  }
});

test("every game is stepped through to its end", async () => {
  for (const name of [...pages.keys()].filter((each) => !["hostile", "wrong"].includes(each))) {
    const page = await opened(name, DESK);
    const last = await steps(page);
    assert.ok(last > 0, name);
    const seen = await page.evaluate(`(() => {
      const seen = [];
      for (let i = 0; i <= ${last}; ++i) {
        seen.push({ at: Number(document.getElementById("slider").value), said: document.getElementById("now").textContent, seats: ${FOUR} });
        document.getElementById("next").click();
      }
      return seen;
    })()`);
    seen.forEach(({ at, seats }, i) => {
      assert.equal(at, i);
      assert.equal(seats.length, 4);
      for (const each of seats) {
        // Thirteen and perhaps the one drawn, three of them less for each meld; none before the deal.
        assert.ok([0, 13, 14].includes(each.hand + 3 * each.melds), `${name}, step ${i}: ${JSON.stringify(each)}`);
      }
    });
    const said = new Set(seen.map((each) => each.said));
    assert.ok(said.size > last / 2, `${name}: each step says something of its own`);
    assert.match(await text(page, "count"), new RegExp(`step ${last + 1} of ${last + 1}`));
    assert.match(await text(page, "verdict"), /was verified/);
    await expectQuiet(page, name);
  }
});

test("buttons, slider, keys and the list of events all step", async () => {
  const page = await opened([...pages.keys()][0], DESK);
  const last = await steps(page);
  const at = () => page.evaluate(`Number(document.getElementById("slider").value)`);
  await click(page, "next");
  await click(page, "next");
  assert.equal(await at(), 2);
  await click(page, "back");
  assert.equal(await at(), 1);
  await page.press("ArrowRight");
  assert.equal(await at(), 2);
  await page.press("ArrowLeft");
  assert.equal(await at(), 1);
  await click(page, "last");
  assert.equal(await at(), last);
  assert.ok(await page.evaluate(`document.getElementById("next").disabled`));
  await page.press("Home");
  assert.equal(await at(), 0);
  await page.press("End");
  assert.equal(await at(), last);
  await page.evaluate(`{ const s = document.getElementById("slider"); s.value = "5"; s.dispatchEvent(new Event("input")); }`);
  assert.equal(await at(), 5);
  await page.evaluate(`document.querySelectorAll("#events button")[9].click()`);
  assert.equal(await at(), 9);
  assert.equal(await page.evaluate(`document.querySelectorAll("#events [aria-current]").length`), 1);
  await expectQuiet(page, "stepping");
});

test("a decision shows what was offered and what was chosen", async () => {
  const page = await opened("chaozhou", DESK);
  const last = await steps(page);
  const decisions = await page.evaluate(`(() => {
    const all = [];
    for (let i = 0; i <= ${last}; ++i) {
      for (const each of document.querySelectorAll(".decision")) {
        all.push({ chips: each.querySelectorAll(".chip").length, chosen: each.querySelectorAll(".chosen").length });
      }
      document.getElementById("next").click();
    }
    return all;
  })()`);
  for (const each of decisions) assert.ok(each.chips >= 1 && each.chosen <= 1);
  const seen = decisions.filter((each) => each.chosen === 1).length;
  assert.ok(seen > 20);
});

test("both languages say the same round", async () => {
  const page = await opened("chaozhou", DESK);
  await page.press("End");
  assert.equal(await page.evaluate("document.documentElement.lang"), "en");
  assert.match(await text(page, "result"), /Receipt[\s\S]*Transfers[\s\S]*Balances/);
  await keep(page, "desk-en", false);
  await click(page, "zh");
  assert.equal(await page.evaluate("document.documentElement.lang"), "zh-Hans");
  assert.match(await text(page, "game"), /潮州麻将 · 第\d+局/);
  assert.match(await text(page, "result"), /结果[\s\S]*计分[\s\S]*收付[\s\S]*余额/);
  assert.match(await text(page, "verdict"), /记录经验证/);
  assert.match(await text(page, "proof"), /种子承诺[\s\S]*证实/);
  assert.equal(await page.evaluate(`document.getElementById("zh").getAttribute("aria-pressed")`), "true");
  await keep(page, "desk-zh");
  await click(page, "en");
  assert.match(await text(page, "game"), /round \d+/);
  const chinese = await opened("jieyang", { ...DESK, language: "zh-CN" });
  assert.equal(await chinese.evaluate("document.documentElement.lang"), "zh-Hans");
  await expectQuiet(page, "languages");
});

test("a phone shows all of it without scrolling sideways", async () => {
  for (const name of ["guangdong", "shaoguan", "chaozhou-escape"]) {
    const page = await opened(name, { ...PHONE, language: "zh-CN" });
    const last = await steps(page);
    for (const step of [0, Math.floor(last / 2), last]) {
      await page.evaluate(`{ const s = document.getElementById("slider"); s.value = "${step}"; s.dispatchEvent(new Event("input")); }`);
      assert.ok((await widest(page)) <= PHONE.width, `${name}, step ${step}: ${await widest(page)} px`);
      if (step !== 0) await keep(page, `phone-${name}-${step === last ? "end" : "middle"}`, step === last);
    }
    await expectQuiet(page, name);
  }
});

test("everything that can be used or seen has a name", async () => {
  const page = await opened("jieyang", DESK);
  await page.press("End");
  const nameless = await page.evaluate(`[...document.querySelectorAll("button, input, [role=img], [role=group], section")]
    .filter((node) => !(node.getAttribute("aria-label") || node.getAttribute("aria-labelledby") || node.textContent.trim()))
    .map((node) => node.outerHTML.slice(0, 80))`);
  assert.deepEqual(nameless, []);
});

test("what a record says is text", async () => {
  const page = await opened("hostile", DESK);
  assert.equal(await page.evaluate(`document.querySelectorAll("img, b:not(.tile b):not(.middle b)").length`), 0);
  assert.equal(await page.evaluate(`document.querySelectorAll("script").length`), 2);
  assert.match(await text(page, "table"), /script>|alert\(1\)/);
  assert.match(await text(page, "facts"), /"'><b>&amp;\{\{js\}\}/);
  await expectQuiet(page, "hostile");
});

test("a record that does not fit says so", async () => {
  const page = await opened("wrong", DESK);
  assert.match(await text(page, "verdict"), /does not fit/);
  assert.match(await page.evaluate(`document.getElementById("verdict").className`), /bad/);
  await keep(page, "wrong");
});

test("it prints", async () => {
  const page = await opened("guangdong", { ...DESK, language: "zh-CN" });
  await page.press("End");
  const pdf = await page.print();
  assert.equal(pdf.subarray(0, 5).toString(), "%PDF-");
  if (process.env.MJ_SCREENSHOTS) writeFileSync(join(process.env.MJ_SCREENSHOTS, "print.pdf"), pdf);
});
