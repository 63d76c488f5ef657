// What an expression of Prometheus refers to. promtool says whether it can be parsed; this only reads names.

const keywords = new Set(['and', 'or', 'unless', 'bool', 'offset', 'inf', 'nan', 'start', 'end']);
const grouping = new Set(['by', 'without', 'on', 'ignoring', 'group_left', 'group_right']);
const token = /"(?:[^"\\]|\\.)*"|'[^']*'|\[[^\]]*\]|[0-9][\w.]*|[A-Za-z_:][\w:]*|=~|!~|!=|>=|<=|==|\S/g;

// { metrics: [[name, labels of its matchers]], grouped: labels by which results are grouped or matched }
export function read(expression) {
  const tokens = expression.match(token) ?? [];
  const [metrics, grouped] = [[], []];
  for (let at = 0; at < tokens.length; ++at) {
    const [word, next] = [tokens[at], tokens[at + 1]];
    if (!/^[A-Za-z_:]/.test(word)) {
      if (word === '{') throw new Error('a selector without a metric');
      continue;
    }
    if (grouping.has(word)) {
      if (next === '(') for (at += 2; tokens[at] !== ')'; ++at) if (tokens[at] !== ',') grouped.push(tokens[at]);
      continue;
    }
    // A function or an aggregation, whose grouping may stand before its parenthesis.
    if (keywords.has(word.toLowerCase()) || next === '(' || grouping.has(next)) continue;
    const labels = [];
    if (next === '{') {
      for (at += 2; tokens[at] !== '}'; ++at) {
        if (at >= tokens.length) throw new Error('a selector without an end');
        if (/^(=|!=|=~|!~)$/.test(tokens[at])) labels.push(tokens[at - 1]);
      }
    }
    metrics.push([word, labels]);
  }
  return { metrics, grouped };
}

// What Prometheus adds to each series that it reads from a pod.
export const targetLabels = new Set(['namespace', 'pod', 'job', 'instance', 'container', 'endpoint']);

// Metrics that are not ours: of Prometheus itself, and of kube-state-metrics.
export const others = new Map([
  ['up', ['service']],
  ['kube_pod_status_ready', ['condition']],
]);

// What is wrong with an expression, given the series that exist (name → labels).
export function strangers(expression, series) {
  const { metrics, grouped } = read(expression);
  const labelsOf = (name) => series.get(name) ?? others.get(name);
  const out = [];
  if (metrics.length === 0) out.push('no metric');
  for (const [name, labels] of metrics) {
    if (!labelsOf(name)) out.push(`there is no ${name}`);
    for (const label of labels) {
      if (!targetLabels.has(label) && !labelsOf(name)?.includes(label)) out.push(`${name} has no label ${label}`);
    }
  }
  const known = new Set(metrics.flatMap(([name]) => labelsOf(name) ?? []));
  for (const label of grouped) {
    if (!targetLabels.has(label) && !known.has(label)) out.push(`nothing there has the label ${label}`);
  }
  return out;
}
