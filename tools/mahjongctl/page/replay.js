"use strict";
// Shows the round that stands in the page as JSON. Everything it says becomes text, never markup.
(() => {
  const round = JSON.parse(document.getElementById("round").textContent);
  const at = (id) => document.getElementById(id);
  const seats = [0, 1, 2, 3];
  const places = ["bottom", "right", "top", "left"];

  const WORDS = {
    zh: {
      round: "第{n}局", table: "牌桌", base: "", practice: "练习", dealer: "庄", left: "余牌", wild: "鬼牌", dice: "骰子",
      round_wind: "圈风", auto: "托管", first: "开头", back: "上一步", next: "下一步", last: "结尾", slider: "步骤", hand: "手牌",
      river: "弃牌", melds: "副露", chose: "选择", open: "未答", discard: "打", by: "", result: "结果", receipt: "计分",
      transfers: "收付", balances: "余额", from: "付", to: "收", coins: "积分", rule: "规则", net: "输赢", rake: "抽水",
      balance: "余额", short: "未能付给", log: "全部过程", proof: "验证", proved: "记录经验证：从洗牌到积分全部重算，一致。",
      refuted: "记录不符：", not_proved: "记录本身无法证明的", seed: "种子", seed_hash: "种子的 SHA-256（发牌前公布）", nonce: "随机数",
      claim: "项目", says: "结论", fan: "番", multiplier: "倍", horses: "买马", rulebook: "规则版本", nothing: "本局没有牌局过程。",
      stopped: "后面的记录不符合规则：", none: "无", row: "账本行", options: "选项", step: "第 {i} / {n} 步", patterns: "牌型",
      thrown: "打出", taken: "被叫走", drawn: "刚摸",
      claims: {
        round: "牌局", commitment: "种子承诺", nonces: "玩家随机数", rulebook: "规则版本", deal: "发牌", play: "过程", outcome: "结局",
        score: "计分", "journal row": "账本行", settlement: "结算",
      },
      texts: {
        round: "四名玩家；所有事件的时间先后一致。", commitment: "128 字节种子的 SHA-256 与发牌前公布的一致。",
        nonces: "玩家随机数按规则计入，或按规则不计。", rulebook: "本程序具有该版本规则及全部选项。",
        deal: "牌墙、骰子、庄家与门风均由种子和随机数得出。", play: "每一事件都由玩家的选择按规则得出：所选均曾提供，所摸均为牌墙之牌，无缺无增，次序无误。",
        outcome: "结局与过程一致。", score: "收付与计分说明逐字重算，一致。",
        "journal row": "账本行属于本局，其散列正确，各分录合计为零。", settlement: "各家收付、未付与余额重新结算，一致。",
      },
      verdicts: { proved: "证实", refuted: "不符", "not reached": "未查到", none: "无" },
    },
    en: {
      round: "round {n}", table: "table", base: "", practice: "practice", dealer: "dealer", left: "left", wild: "wild", dice: "dice",
      round_wind: "round wind", auto: "auto-play", first: "first", back: "back", next: "next", last: "last", slider: "step", hand: "hand",
      river: "discards", melds: "melds", chose: "chose", open: "no answer", discard: "throw", by: "", result: "Result", receipt: "Receipt",
      transfers: "Transfers", balances: "Balances", from: "from", to: "to", coins: "coins", rule: "rule", net: "net", rake: "rake",
      balance: "balance", short: "could not pay", log: "Everything that happened", proof: "Verification",
      proved: "This record was verified: all of it, from the shuffle to the coins, was recomputed and fits.",
      refuted: "This record does not fit: ", not_proved: "What no record can prove", seed: "seed",
      seed_hash: "SHA-256 of the seed, shown before the deal", nonce: "nonce", claim: "claim", says: "what came of it", fan: "fan",
      multiplier: "times", horses: "horses", rulebook: "rulebook", nothing: "Nothing was played in this round.",
      stopped: "What follows in the record does not fit the rules: ", none: "none", row: "journal row", options: "options",
      step: "step {i} of {n}", patterns: "patterns", thrown: "thrown", taken: "called", drawn: "just drawn",
      claims: {}, texts: {}, verdicts: {},
    },
  };
  let lang = (navigator.language || "").toLowerCase().startsWith("zh") ? "zh" : "en";
  const word = (key) => WORDS[lang][key];
  const filled = (key, values) => word(key).replace(/\{(\w)\}/g, (_, name) => values[name]);
  const pick = (both) => both[lang] || both.en || both.zh || "";

  // ------------------------------------------------------------------------------- elements

  const el = (tag, className, ...children) => {
    const node = document.createElement(tag);
    if (className) node.className = className;
    node.append(...children.filter((child) => child !== null && child !== undefined));
    return node;
  };
  const RANKS = "一二三四五六七八九";
  const SUITS = { m: "万", p: "筒", s: "条" };
  const HONOURS = ["东", "南", "西", "北", "白", "发", "中"];
  const HONOURS_EN = ["East", "South", "West", "North", "White", "Green", "Red"];
  const tilesOf = (mpsz) => {
    const tiles = [];
    for (const [, digits, suit] of (mpsz || "").matchAll(/(\d+)([mpsz])/g)) {
      for (const digit of digits) tiles.push(digit + suit);
    }
    return tiles;
  };
  const nameOf = (tile) => {
    const rank = Number(tile[0]);
    if (tile[1] === "z") return lang === "zh" ? HONOURS[rank - 1] : HONOURS_EN[rank - 1];
    return lang === "zh" ? RANKS[rank - 1] + SUITS[tile[1]] : tile;
  };
  const tileOf = (tile, className) => {
    const rank = Number(tile[0]);
    const suit = tile[1];
    const node = el("span", `tile ${suit} ${className || ""}`);
    node.setAttribute("role", "img");
    let label = nameOf(tile);
    if (suit === "z") {
      node.classList.add("one", ...["", "", "", "", "white", "green", "red"].slice(rank - 1, rank).filter(Boolean));
      node.append(el("b", "", HONOURS[rank - 1]));
    } else {
      node.append(el("b", "", RANKS[rank - 1]), el("i", "", SUITS[suit]));
    }
    if (tile === state.wild) {
      node.classList.add("wild");
      label += ` (${word("wild")})`;
    }
    node.setAttribute("aria-label", label);
    node.title = label;
    return node;
  };
  const row = (label, className, ...children) => {
    const node = el("div", className, ...children);
    node.setAttribute("role", "group");
    node.setAttribute("aria-label", label);
    return node;
  };
  const number = (n) => n.toLocaleString("en-US");
  const signed = (n) => el("span", n > 0 ? "up" : n < 0 ? "down" : "", (n > 0 ? "+" : "") + number(n));
  const player = (seat) => `${seat} ${round.players[seat].name}`;

  // ------------------------------------------------------------------- the table at one step

  const steps = round.steps;
  const lastStep = Math.max(0, steps.length - 1);
  let now = 0;
  let state = stateAt(0);

  // Steps hold what changed: the table behind step `to` is all of them up to it.
  function stateAt(to) {
    const sum = { hands: {}, melds: {}, auto: {}, actor: null, left: null, wild: null, won: [] };
    for (let i = 0; i <= to && i < steps.length; ++i) {
      const step = steps[i];
      Object.assign(sum.hands, step.hands);
      Object.assign(sum.melds, step.melds);
      Object.assign(sum.auto, step.auto);
      if ("actor" in step) sum.actor = step.actor;
      if ("left" in step) sum.left = step.left;
      if ("wild" in step) sum.wild = step.wild;
      if (step.won) sum.won = step.won;
    }
    return sum;
  }

  function meldOf(meld) {
    const from = meld.from === undefined ? "" : ` ← ${player(meld.from)}`;
    return row(pick(meld) + from, "meld", el("small", "", pick(meld)), ...tilesOf(meld.tiles).map((tile) => tileOf(tile)));
  }

  function seatOf(seat) {
    const badges = [];
    if (seat === round.dealer) badges.push(el("span", "badge", word("dealer")));
    if (round.winds) badges.push(el("span", "badge wind", nameOf(round.winds[seat])));
    if (state.auto[seat]) badges.push(el("span", "badge auto", word("auto")));
    const atEnd = now === lastStep && round.result.seats;
    const title = el("h3", "", player(seat), ...badges);
    title.title = round.players[seat].id;
    if (atEnd) title.append(el("span", "net", signed(round.result.seats[seat].net)));
    const [resting, drawn] = state.hands[seat] || ["", ""];
    const hand = row(word("hand"), "tiles hand", ...tilesOf(resting).map((tile) => tileOf(tile)));
    if (drawn) hand.append(tileOf(drawn, "new"));
    for (const meld of state.melds[seat] || []) hand.append(meldOf(meld));
    const thrown = round.river.filter(([who, , step]) => who === seat && step <= now);
    const latest = round.river.filter(([, , step]) => step <= now).at(-1);
    const river = row(word("river"), "tiles river", ...thrown.map((entry) => {
      const gone = entry[3] !== null && entry[3] <= now;
      const tile = tileOf(entry[1], gone ? "gone" : entry === latest ? "last" : "");
      if (gone) tile.setAttribute("aria-label", `${nameOf(entry[1])}, ${word("taken")}`);
      return tile;
    }));
    const panel = el("div", "seat", title, hand, river);
    panel.style.gridArea = places[seat];
    panel.classList.toggle("acts", state.actor === seat);
    panel.classList.toggle("won", state.won.includes(seat));
    panel.dataset.seat = seat;
    return panel;
  }

  function middle() {
    const node = el("div", "middle", el("span", "", word("left")), el("b", "", state.left === null ? "–" : String(state.left)));
    if (state.wild) node.append(el("span", "", word("wild")), el("span", "tiles", tileOf(state.wild)));
    if (round.dice) node.append(el("span", "", `${word("dice")} ${round.dice.join(" ")}`));
    if (round.round_wind) node.append(el("span", "", `${word("round_wind")} ${nameOf(round.round_wind)}`));
    return node;
  }

  // Answers by the decision that they are to, with the step at which they came.
  const answers = new Map();
  steps.forEach((step, i) => {
    if (step.answer) answers.set(`${step.answer.seat}/${step.answer.id}`, [step.answer, i]);
  });
  // The questions that the shown step asks, or that it answers.
  function questionsAt(i) {
    if (steps[i].asks) return steps[i].asks;
    const answer = steps[i].answer;
    if (!answer) return [];
    for (let back = i; back >= 0; --back) {
      const ask = (steps[back].asks || []).find((each) => each.seat === answer.seat && each.id === answer.id);
      if (ask) return [ask];
    }
    return [];
  }

  function decisionOf(ask) {
    const [answer] = answers.get(`${ask.seat}/${ask.id}`) || [null];
    const node = el("div", "decision", el("span", "who", player(ask.seat)));
    const chip = (text, chosen) => {
      const one = el("span", chosen ? "chip chosen" : "chip", text);
      if (chosen) one.setAttribute("aria-label", `${text}: ${word("chose")}`);
      return one;
    };
    for (const choice of ask.choices) node.append(chip(pick(choice), answer !== null && answer.key === choice.key));
    if (ask.discards) {
      const thrown = answer !== null && answer.key.startsWith("discard ") ? answer.key.slice(8) : "";
      node.append(chip(word("discard"), thrown !== ""), row(word("discard"), "tiles", ...tilesOf(ask.discards).map((tile) => tileOf(tile, tile === thrown ? "last" : ""))));
    }
    if (answer === null) node.append(el("span", "by", word("open")));
    if (answer !== null && answer.by) node.append(el("span", "by", pick(answer.by)));
    return node;
  }

  function show(step) {
    now = Math.min(Math.max(step, 0), lastStep);
    state = stateAt(now);
    at("table").replaceChildren(...seats.map(seatOf), middle());
    at("slider").value = String(now);
    at("first").disabled = at("back").disabled = now === 0;
    at("last").disabled = at("next").disabled = now === lastStep;
    at("decisions").replaceChildren(...(steps.length ? questionsAt(now).map(decisionOf) : []));
    const said = steps.length ? pick(steps[now].say) : word("nothing");
    at("now").textContent = said;
    at("count").textContent = steps.length ? filled("step", { i: now + 1, n: steps.length }) : "";
    at("time").textContent = steps.length ? steps[now].t : "";
    at("slider").setAttribute("aria-valuetext", said);
    const events = at("events").children;
    for (const current of at("events").querySelectorAll("[aria-current]")) current.removeAttribute("aria-current");
    const line = events[now] && events[now].firstElementChild;
    if (line) {
      line.setAttribute("aria-current", "step");
      const list = at("events");
      const top = events[now].offsetTop - list.offsetTop;
      if (top < list.scrollTop || top > list.scrollTop + list.clientHeight - 40) list.scrollTop = top - 60;
    }
  }

  // ------------------------------------------------------------------------ what does not move

  const table = (heads, rows) => {
    const head = el("tr", "", ...heads.map(([text, kind]) => el("th", kind, text)));
    const body = rows.map((cells) => el("tr", cells.kind || "", ...cells.map((cell, i) => el("td", heads[i][1], cell))));
    return el("div", "scroll", el("table", "", el("thead", "", head), el("tbody", "", ...body)));
  };
  const ruleText = (rule) => `${rule.id} ${pick(rule)}`;

  function winOf(win) {
    const titles = win.titles.map(pick).join(" · ");
    const hand = row(word("hand"), "tiles", ...tilesOf(win.hand).map((tile) => tileOf(tile)), tileOf(win.tile, "new last"), ...win.melds.map(meldOf));
    const node = el("div", "win", el("strong", "", `${player(win.seat)} ${titles}`), hand);
    const figures = (win.patterns || []).map((each) => `${each.id} ${pick(each)} ${each.value}`);
    if (win.fan !== undefined) figures.push(`= ${win.fan} ${word("fan")}`);
    if (win.multiplier !== undefined) figures.push(`= ${win.multiplier} ${word("multiplier")}`);
    const label = (win.patterns || []).length > 0 ? `${word("patterns")}: ` : "";
    if (figures.length) node.append(el("div", "", label + figures.join(", ")));
    return node;
  }

  function lineOf(line) {
    const node = el("div", "line", el("div", "", pick(line)), el("code", "", line.arithmetic));
    node.append(el("code", "", line.rules.map(ruleText).join(" · ")));
    return node;
  }

  function result() {
    const body = [];
    const of = round.result;
    for (const says of of.says || []) body.push(el("p", "", pick(says)));
    for (const win of of.wins || []) body.push(winOf(win));
    if (of.horses) body.push(row(word("horses"), "tiles", el("span", "", word("horses")), ...tilesOf(of.horses).map((tile) => tileOf(tile))));
    if (of.lines) body.push(el("h2", "", word("receipt")), ...of.lines.map(lineOf));
    if (of.transfers) {
      body.push(el("h2", "", word("transfers")), table([[word("from"), ""], [word("to"), ""], [word("coins"), "n"], [word("rule"), ""]],
        of.transfers.map((each) => [player(each.from), player(each.to), number(each.coins), ruleText(each.rule)])));
    }
    if (of.seats) {
      body.push(el("h2", "", word("balances")), table([["", ""], [word("net"), "n"], [word("rake"), "n"], [word("balance"), "n"]],
        seats.map((seat) => [player(seat), signed(of.seats[seat].net), number(of.seats[seat].rake), number(of.seats[seat].balance)])));
    }
    for (const each of of.shortfalls || []) {
      body.push(el("p", "", `${player(each.from)} ${word("short")} ${player(each.to)}: ${number(each.coins)}`));
    }
    if (of.journal_id) body.push(el("p", "", `${word("row")} ${of.journal_id}`));
    return body;
  }

  function proof() {
    const claims = round.proof.claims.map((each) => {
      const cells = [WORDS[lang].claims[each.claim] || each.claim, WORDS[lang].verdicts[each.verdict] || each.verdict,
        (each.verdict === "proved" && WORDS[lang].texts[each.claim]) || each.text];
      cells.kind = each.verdict === "refuted" ? "refuted" : "";
      return cells;
    });
    const body = [table([[word("claim"), ""], ["", ""], [word("says"), ""]], claims)];
    body.push(el("h2", "", word("not_proved")), el("ul", "", ...round.proof.not_proved.map((text) => el("li", "", text))));
    body.push(el("p", "", word("seed_hash")), el("p", "hex", round.deal.seed_hash), el("p", "", word("seed")), el("p", "hex", round.deal.seed));
    round.deal.nonces.forEach((nonce, seat) => {
      body.push(el("p", "", `${player(seat)}: ${word("nonce")} ${nonce.outcome}`));
      if (nonce.nonce) body.push(el("p", "hex", nonce.nonce));
    });
    return body;
  }

  function speak(language) {
    lang = language;
    document.documentElement.lang = lang === "zh" ? "zh-Hans" : "en";
    at("zh").setAttribute("aria-pressed", String(lang === "zh"));
    at("en").setAttribute("aria-pressed", String(lang === "en"));
    at("game").textContent = `${pick(round.game)} · ${filled("round", { n: round.number })}`;
    const options = Object.entries(round.options).map(([key, value]) => `${key}=${value}`).join(" ");
    at("facts").textContent = [
      `${pick(round.base_word)} ${number(round.base)}${round.currency === "PRACTICE" ? ` (${word("practice")})` : ""}`,
      round.began, round.round_id, `${word("table")} ${round.table_id}`, `${word("rulebook")} ${round.rulebook}`, options,
    ].join("  ·  ");
    const verdict = at("verdict");
    const wrong = round.proof.claims.find((each) => each.verdict === "refuted");
    verdict.className = round.proof.fits ? "proved" : "bad refuted";
    verdict.textContent = round.proof.fits ? word("proved") : word("refuted") + (wrong ? wrong.text : "");
    for (const id of ["first", "back", "next", "last", "slider"]) at(id).setAttribute("aria-label", word(id));
    at("result-title").textContent = word("result");
    at("log-title").textContent = word("log");
    at("proof-title").textContent = word("proof");
    at("result-body").replaceChildren(...result());
    at("proof-body").replaceChildren(...proof());
    at("events").replaceChildren(...steps.map((step, i) => {
      const button = el("button", "", el("time", "", step.t), el("span", "", pick(step.say)));
      button.type = "button";
      button.addEventListener("click", () => show(i));
      return el("li", "", button);
    }));
    if (round.misfit) at("events").append(el("li", "refuted", word("stopped") + round.misfit));
    show(now);
  }

  at("slider").max = String(lastStep);
  at("slider").addEventListener("input", () => show(Number(at("slider").value)));
  at("first").addEventListener("click", () => show(0));
  at("back").addEventListener("click", () => show(now - 1));
  at("next").addEventListener("click", () => show(now + 1));
  at("last").addEventListener("click", () => show(lastStep));
  at("zh").addEventListener("click", () => speak("zh"));
  at("en").addEventListener("click", () => speak("en"));
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target === at("slider")) return;
    const step = { ArrowRight: now + 1, ArrowLeft: now - 1, Home: 0, End: lastStep, PageDown: now + 10, PageUp: now - 10 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    show(step);
  });
  speak(lang);
})();
