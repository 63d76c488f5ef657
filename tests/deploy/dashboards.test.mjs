// The dashboards: the files are those of deploy/monitoring/dashboards.mjs, and show what exists.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { dashboards, text } from '../../deploy/monitoring/dashboards.mjs';
import { metricsOfCode, seriesOfCode } from './code.mjs';
import { promtool, write } from './promtool.mjs';
import { read, strangers, targetLabels } from './promql.mjs';
import { render, root } from './render.mjs';

const folder = path.join(root, 'deploy/monitoring/dashboards');
const series = seriesOfCode();
const names = Object.keys(dashboards);
if (process.env.MJ_UPDATE_GOLDEN) for (const name of names) fs.writeFileSync(path.join(folder, `${name}.json`), text(name));

const shown = names.map((name) => JSON.parse(fs.readFileSync(path.join(folder, `${name}.json`), 'utf8')));
const variablesOf = (d) => d.templating.list.map((v) => v.name);
const expressions = shown.flatMap((d) =>
  d.panels.flatMap((p) => (p.targets ?? []).map((t) => [`${d.title}, ${p.title}`, t.expr, t.legendFormat])),
);
// As Grafana sends it.
const asked = (expr) => expr.replaceAll('$__rate_interval', '5m').replaceAll('$namespace', 'mahjong').replaceAll('$service', '.+');

test('the files are what dashboards.mjs makes', () => {
  assert.deepEqual(fs.readdirSync(folder).sort(), names.map((n) => `${n}.json`).sort());
  for (const name of names) {
    assert.equal(fs.readFileSync(path.join(folder, `${name}.json`), 'utf8'), text(name),
      'cure: MJ_UPDATE_GOLDEN=1 node --test tests/deploy/dashboards.test.mjs');
  }
});

test('ids are unique', () => {
  for (const key of ['uid', 'title']) assert.equal(new Set(shown.map((d) => d[key])).size, shown.length, key);
  for (const d of shown) {
    assert.match(d.uid, /^mahjong-[a-z]+$/);
    assert.equal(new Set(d.panels.map((p) => p.id)).size, d.panels.length, `${d.title}: ids of panels`);
    for (const p of d.panels) {
      assert.equal(new Set((p.targets ?? []).map((t) => t.refId)).size, (p.targets ?? []).length, `${p.title}: refIds`);
    }
  }
});

test('panels lie beside each other', () => {
  for (const d of shown) {
    const taken = new Set();
    for (const { gridPos: { x, y, w, h } } of d.panels) {
      assert.ok(x + w <= 24);
      for (let i = x; i < x + w; ++i) {
        for (let j = y; j < y + h; ++j) {
          assert.ok(!taken.has(`${i},${j}`), `${d.title}: two panels at ${i},${j}`);
          taken.add(`${i},${j}`);
        }
      }
    }
  }
});

test('every expression refers to metrics and labels that exist, and to one installation', () => {
  for (const [where, expr] of expressions) {
    assert.deepEqual(strangers(asked(expr), series), [], where);
    for (const [name, labels] of read(asked(expr)).metrics) assert.ok(labels.includes('namespace'), `${where}: ${name}`);
  }
});

test('every legend names labels that the result has', () => {
  for (const [where, expr, legend] of expressions) {
    for (const [, label] of legend.matchAll(/\{\{(\w+)\}\}/g)) {
      assert.ok(read(asked(expr)).grouped.includes(label), `${where}: ${label}`);
    }
  }
});

test('every variable that is used is there', () => {
  for (const d of shown) {
    const builtin = ['__rate_interval', '__all'];
    for (const [, name] of JSON.stringify(d).matchAll(/\$\{?(\w+)/g)) {
      assert.ok(builtin.includes(name) || variablesOf(d).includes(name), `${d.title}: $${name}`);
    }
    for (const { type, definition } of d.templating.list) {
      if (type !== 'query') continue;
      const [, selector, label] = /^label_values\((.*), (\w+)\)$/.exec(definition);
      assert.deepEqual(strangers(selector, series), [], definition);
      assert.ok(targetLabels.has(label) || series.get(selector.split('{')[0]).includes(label), definition);
    }
  }
});

test('promtool parses every expression', () => {
  const rules = expressions.map(([, expr], i) => ({ record: `mahjong:panel:${i}`, expr: asked(expr) }));
  promtool('check', 'rules', '--lint=none', write('panels.yaml', { groups: [{ name: 'panels', rules }] }));
  const wrong = [{ record: 'mahjong:panel', expr: 'sum by (pod (up)' }];
  assert.throws(() => promtool('check', 'rules', write('wrong.yaml', { groups: [{ name: 'wrong', rules: wrong }] })), /parse/);
});

test('every metric is shown', () => {
  const seen = new Set(expressions.flatMap(([, expr]) => read(asked(expr)).metrics.map(([name]) => name)));
  for (const [name, { kind }] of metricsOfCode()) {
    assert.ok(seen.has(kind === 'Histogram' ? `${name}_bucket` : name), `${name} is on no dashboard`);
  }
});

test('Grafana finds each of them', () => {
  const maps = render('deploy/monitoring').filter((o) => o.metadata.labels?.grafana_dashboard === '1');
  const files = maps.flatMap((m) => Object.keys(m.data));
  assert.deepEqual(files.sort(), names.map((n) => `mahjong-${n}.json`).sort());
  for (const { data } of maps) for (const body of Object.values(data)) assert.ok(shown.some((d) => d.uid === JSON.parse(body).uid));
});
