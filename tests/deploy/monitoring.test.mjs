// Alerts and metrics: what promtool says of them, and whether they fit the code and the runbook.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import yaml from 'yaml';
import { metricsIn, seriesOfCode } from './code.mjs';
import { read, strangers } from './promql.mjs';
import { promtool, write } from './promtool.mjs';
import { render, root } from './render.mjs';

const series = seriesOfCode();

const groups = render('deploy/monitoring').filter((o) => o.kind === 'PrometheusRule').flatMap((o) => o.spec.groups);
const alerts = groups.flatMap((g) => g.rules);
const rules = write('rules.yaml', { groups });

const folder = path.join(root, 'tests/deploy/alerts');
const cases = fs.readdirSync(folder).sort().flatMap((file) => {
  const document = yaml.parseDocument(fs.readFileSync(path.join(folder, file), 'utf8'));
  if (document.errors.length) throw document.errors[0];
  return Object.entries(document.toJS()).flatMap(([alert, list]) => list.map((c) => ({ alert, ...c })));
});

// What promtool is to run: the alert's labels and annotations, of which a case says what is its own. At `pending` the
// condition holds, but not yet for long enough.
function promtoolTest({ alert, pending, at, series: input, alerts: expected = [] }) {
  const { labels, annotations } = alerts.find((a) => a.alert === alert);
  return {
    interval: '1m',
    input_series: Object.entries(input).map(([name, values]) => ({ series: name, values })),
    promql_expr_test: pending === undefined ? [] : [{
      expr: `count(ALERTS{alertname="${alert}",alertstate="pending"}) > bool 0`,
      eval_time: pending,
      exp_samples: [{ labels: '{}', value: 1 }],
    }],
    alert_rule_test: [...(pending === undefined ? [] : [{ alertname: alert, eval_time: pending, exp_alerts: [] }]), {
      alertname: alert,
      eval_time: at,
      exp_alerts: expected.map((e) => ({
        exp_labels: { ...e.labels, severity: labels.severity },
        exp_annotations: { ...annotations, description: e.says },
      })),
    }],
  };
}

test('promtool takes the rules', () => promtool('check', 'rules', rules));

for (const [number, c] of cases.entries()) {
  test(`${c.alert}: ${c.fires ? 'fires' : 'quiet'}: ${c.fires ?? c.quiet}`, () => {
    assert.ok(alerts.some((a) => a.alert === c.alert), 'there is no such alert');
    assert.equal(Boolean(c.alerts?.length), Boolean(c.fires), 'a case either fires or is quiet');
    const test_ = { rule_files: [rules], evaluation_interval: '1m', tests: [promtoolTest(c)] };
    promtool('test', 'rules', write(`case-${number}.yaml`, test_));
  });
}

test('promtool notices an alert that is not expected, and one that does not come', () => {
  const firing = cases.find((c) => c.fires);
  for (const wrong of [{ ...firing, alerts: [] }, { ...firing, series: { up: '1x10' } }]) {
    const test_ = { rule_files: [rules], evaluation_interval: '1m', tests: [promtoolTest(wrong)] };
    assert.throws(() => promtool('test', 'rules', write('wrong.yaml', test_)), /FAILED/);
  }
});

test('every alert has a case that fires, and one with the same metrics that does not', () => {
  for (const { alert, expr } of alerts) {
    const own = new Set(read(expr).metrics.map(([name]) => name));
    const reads = (c) => Object.keys(c.series).some((name) => own.has(name.split('{')[0]));
    assert.ok(cases.some((c) => c.alert === alert && c.fires && reads(c)), `nothing fires ${alert}`);
    assert.ok(cases.some((c) => c.alert === alert && c.quiet && reads(c)), `${alert} is never quiet`);
  }
});

test('every alert that waits has a case in which it does', () => {
  for (const { alert, for: wait } of alerts) {
    assert.match(wait, /^\d+[mh]$/, alert);
    const waits = cases.some((c) => c.alert === alert && c.pending !== undefined);
    assert.equal(waits, wait !== '0m', `${alert} fires after ${wait}`);
  }
});

test('every series of a case is one that exists', () => {
  for (const c of cases) {
    for (const name of Object.keys(c.series)) {
      assert.deepEqual(strangers(name, series), [], `${c.alert}: ${name}`);
    }
  }
});

test('every alert is named once and refers to metrics that exist', () => {
  assert.equal(new Set(alerts.map((a) => a.alert)).size, alerts.length);
  assert.equal(new Set(groups.map((g) => g.name)).size, groups.length);
  for (const { alert, expr } of alerts) {
    assert.match(alert, /^Mahjong[A-Z][A-Za-z]+$/);
    assert.deepEqual(strangers(expr, series), [], alert);
  }
});

test('every alert says how bad it is, what it means and where to read on', () => {
  const headings = fs.readFileSync(path.join(root, 'docs/operations.md'), 'utf8').match(/^### .*$/gm);
  for (const { alert, labels, annotations } of alerts) {
    assert.ok(['critical', 'warning'].includes(labels.severity), `${alert}: severity ${labels.severity}`);
    assert.match(annotations.summary, /^[^{}]+\.$/, `${alert}: a summary is one sentence for all of its kind`);
    assert.match(annotations.description, /\.$/, `${alert}: no description`);
    assert.equal(annotations.runbook_url, `docs/operations.md#${alert.toLowerCase()}`);
    assert.equal(headings.filter((h) => h === `### ${alert}`).length, 1, `docs/operations.md has no heading ${alert}`);
  }
  for (const heading of headings.filter((h) => h.startsWith('### Mahjong'))) {
    assert.ok(alerts.some((a) => heading === `### ${a.alert}`), `${heading}: there is no such alert`);
  }
});

test('the runbook speaks of metrics that exist', () => {
  const runbook = fs.readFileSync(path.join(root, 'docs/operations.md'), 'utf8');
  for (const [name] of runbook.matchAll(/\bmahjong_\w+/g)) assert.ok(series.has(name), name);
  for (const [name] of runbook.matchAll(/\bMahjong[A-Z]\w+/g)) {
    assert.ok(alerts.some((a) => a.alert.startsWith(name)), `there is no alert ${name}`);
  }
});

test('names are read out of expressions', () => {
  const expression = `(sum by (a, b) (rate(x_total{c=~"y|z(",d!="by"}[5m] offset 1h)) / on (a) group_left(e) min without (f) (g)) > 1.5e3
    unless h:i and count(j) or absent(k{l="m"})`;
  assert.deepEqual(read(expression), {
    metrics: [['x_total', ['c', 'd']], ['g', []], ['h:i', []], ['j', []], ['k', ['l']]],
    grouped: ['a', 'b', 'a', 'e', 'f'],
  });
  assert.deepEqual(strangers('sum by (code) (mahjong_no_such_total{pod="a"})', series), [
    'there is no mahjong_no_such_total', 'nothing there has the label code',
  ]);
  assert.deepEqual(strangers('mahjong_tables_held{variant="chaozhou"}', series), [
    'mahjong_tables_held has no label variant',
  ]);
  assert.deepEqual(strangers('1', series), ['no metric']);
  assert.throws(() => read('{job="wallet"}'), /without a metric/);
  assert.throws(() => read('up{job="wallet"'), /without an end/);
});

test('metrics are read out of sources', () => {
  assert.deepEqual(
    metricsIn(`constexpr char kName[] = "mahjong_a";
      m.Gauge(kName, "Help, with (parentheses.", {{"state", "idle"}});
      void Rounds(const std::string& name, int x) { m.Counter(name, help, {{"variant", v}, {"how", Name(how)}}); }
      Rounds("mahjong_b_total", 1);
      const Metrics::Labels labels{{"method", f(1, 2)}};
      m.Histogram("mahjong_c_seconds", "Help.", Buckets(), labels)`),
    [
      ['mahjong_a', 'Gauge', ['state']],
      ['mahjong_b_total', 'Counter', ['variant', 'how']],
      ['mahjong_c_seconds', 'Histogram', ['method']],
    ],
  );
  assert.throws(() => metricsIn('m.Counter(whose, "Help.")', 'x.cc'), /x.cc: whose name is whose/);
  assert.throws(() => metricsIn('m.Counter("mahjong_d_total", "Help.", them)', 'x.cc'), /which labels are them/);
});
