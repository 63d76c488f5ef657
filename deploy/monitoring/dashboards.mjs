// The Grafana dashboards as data: name → title, rows of panels. tests/deploy/dashboards.test.mjs holds dashboards/*.json to
// what stands here (MJ_UPDATE_GOLDEN=1 writes them), and every expression to the metrics that exist.

// `by` what a series is named by: {{label}} is replaced by Grafana.
const panel = (title, unit, says, ...series) => ({ title, unit, says, series });

// Of a counter, a second. `$namespace` is the variable of every dashboard.
const rate = (metric, by, more = '') =>
  `sum by (${by}) (rate(${metric}{namespace="$namespace"${more && `,${more}`}}[$__rate_interval]))`;
const most = (metric, by = 'namespace', more = '') => `max by (${by}) (${metric}{namespace="$namespace"${more && `,${more}`}})`;
const sum = (metric, by, more = '') => `sum by (${by}) (${metric}{namespace="$namespace"${more && `,${more}`}})`;
const errors = 'code=~"UNKNOWN|INTERNAL|DATA_LOSS|UNAVAILABLE|DEADLINE_EXCEEDED"';
const ofService = 'service=~"$service"';
const quantile = (q, by, more) =>
  `histogram_quantile(${q}, sum by (le, ${by}) (rate(mahjong_rpc_handling_seconds_bucket{namespace="$namespace",${more}}[$__rate_interval])))`;

export const dashboards = {
  calls: {
    title: 'Mahjong: calls',
    services: true,
    rows: {
      'Whole services': [
        panel('Calls', 'reqps', 'Calls begun.', [rate('mahjong_rpc_started_total', 'service'), '{{service}}']),
        panel('Errors', 'percentunit', 'Of all calls, those that failed through our fault.', [
          `${rate('mahjong_rpc_handled_total', 'service', errors)} / ${rate('mahjong_rpc_handled_total', 'service')}`,
          '{{service}}',
        ]),
        panel('Slowest hundredth', 's', 'Unary calls: 99 % are quicker.', [quantile(0.99, 'service', ofService), '{{service}}']),
        panel('Processes that answer', 'none', 'Of each service.', [
          'sum by (job) (up{namespace="$namespace",job=~"scoring|wallet|table|matchmaking|sealer"})', '{{job}}',
        ]),
        panel('Open calls', 'none', 'Mostly streams.', [sum('mahjong_rpc_open', 'service'), '{{service}}']),
        panel('Refused callers', 'reqps', 'For who called, or how often.', [
          rate('mahjong_rpc_refused_total', 'service, reason'), '{{service}} {{reason}}',
        ]),
      ],
      'Methods of $service': [
        panel('Calls', 'reqps', 'Calls begun.', [rate('mahjong_rpc_started_total', 'method', ofService), '{{method}}']),
        panel('Ends other than OK', 'reqps', 'FAILED_PRECONDITION and the like are callers\' own.', [
          rate('mahjong_rpc_handled_total', 'method, code', `${ofService},code!="OK"`), '{{method}} {{code}}',
        ]),
        panel('Slowest hundredth', 's', 'Unary calls: 99 % are quicker.', [quantile(0.99, 'method', ofService), '{{method}}']),
        panel('Median', 's', 'Unary calls: half are quicker.', [quantile(0.5, 'method', ofService), '{{method}}']),
        panel('Messages of streams', 'wps', 'Sent.', [rate('mahjong_rpc_messages_sent_total', 'method', ofService), '{{method}}']),
        panel('Key files refused', 'none', 'In the last hour: the JWKS could not be used.', [
          'sum by (pod) (increase(mahjong_rpc_key_file_failures_total{namespace="$namespace"}[1h]))', '{{pod}}',
        ]),
      ],
    },
  },
  tables: {
    title: 'Mahjong: tables and rounds',
    rows: {
      Tables: [
        panel('Tables held', 'none', 'By process.', [sum('mahjong_tables_held', 'pod'), '{{pod}}']),
        panel('Tables that move', 'none', 'In five minutes: taken over, given away, lost.',
          ['sum by (namespace) (increase(mahjong_tables_taken_total{namespace="$namespace"}[5m]))', 'taken'],
          ['sum by (namespace) (increase(mahjong_tables_given_total{namespace="$namespace"}[5m]))', 'given'],
          ['sum by (namespace) (increase(mahjong_tables_lost_total{namespace="$namespace"}[5m]))', 'lost']),
        panel('Leases', 'none', 'In five minutes: not prolonged, run out.',
          ['sum by (pod) (increase(mahjong_lease_failures_total{namespace="$namespace"}[5m]))', '{{pod}} failures'],
          ['sum by (pod) (increase(mahjong_lease_lapses_total{namespace="$namespace"}[5m]))', '{{pod}} lapses']),
      ],
      Rounds: [
        panel('Begun', 'cps', 'By game.', [rate('mahjong_rounds_begun_total', 'variant'), '{{variant}}']),
        panel('Settled', 'cps', 'Scored and posted, by game.', [rate('mahjong_rounds_settled_total', 'variant'), '{{variant}}']),
        panel('Void', 'percentunit', 'Of those begun in an hour, by game.', [
          'sum by (variant) (increase(mahjong_rounds_void_total{namespace="$namespace"}[1h])) / sum by (variant) (increase(mahjong_rounds_begun_total{namespace="$namespace"}[1h]))',
          '{{variant}}',
        ]),
        panel('Ends that wait', 'cps', 'Steps that a peer could not do.', [
          rate('mahjong_round_end_failures_total', 'peer, needs_person'), '{{peer}}, needs a person: {{needs_person}}',
        ]),
        panel('Rounds without a record', 'none', 'Over, and not recorded yet.', [most('mahjong_rounds_unrecorded'), 'rounds']),
        panel('Oldest of them', 's', 'Since it ended.', [most('mahjong_round_record_lag_seconds'), 'oldest']),
      ],
      'Journal and upkeep': [
        panel('Durable steps', 'cps', 'Transactions, and those that failed.',
          [rate('mahjong_journal_commits_total', 'pod'), '{{pod}}'],
          [rate('mahjong_journal_failures_total', 'pod'), '{{pod}} failed']),
        panel('Events', 'cps', 'Journalled.', [rate('mahjong_journal_events_total', 'pod'), '{{pod}}']),
        panel('Tables that stand still', 'none', 'The journal is away.', [sum('mahjong_journal_waiting_tables', 'pod'), '{{pod}}']),
        panel('Records', 'cps', 'Made, and not made.',
          [rate('mahjong_round_records_total', 'namespace'), 'made'],
          [rate('mahjong_round_record_failures_total', 'namespace'), 'failed']),
        panel('Days with a partition', 'none', 'To come; seven is right.', [most('mahjong_table_partition_days_ahead'), 'days']),
        panel('Misplaced events', 'none', 'None is right.', [most('mahjong_table_misplaced_events'), 'events']),
        panel('Let go', 'none', 'In an hour: partitions, rows of the feeds.',
          ['sum by (what) (increase(mahjong_table_partitions_dropped_total{namespace="$namespace"}[1h]))', 'partitions of {{what}}'],
          ['sum by (namespace) (increase(mahjong_table_outbox_dropped_total{namespace="$namespace"}[1h]))', 'rows of the feeds']),
        panel('Failures', 'cps', 'Of upkeep, and journals that could not be replayed.',
          [rate('mahjong_table_upkeep_failures_total', 'namespace'), 'upkeep'],
          [rate('mahjong_table_replay_failures_total', 'namespace'), 'replay']),
        panel('Streams cut off', 'cps', 'Subscribers who did not read.', [rate('mahjong_streams_too_slow_total', 'pod'), '{{pod}}']),
      ],
    },
  },
  wallet: {
    title: 'Mahjong: wallet and ledger',
    rows: {
      Ledger: [
        panel('Something is wrong', 'none', '0 is right.', [most('mahjong_wallet_ledger_faults'), 'faults']),
        panel('Days not sealed', 'none', '0 or, after midnight, 1.', ['min by (namespace) (mahjong_wallet_unsealed_days{namespace="$namespace"})', 'days']),
        panel('Processes that seal', 'none', 'One is enough.', [sum('mahjong_wallet_seals', 'namespace'), 'processes']),
        panel('Chains verified', 'none', 'Row up to which the running audit has come.', [most('mahjong_wallet_chain_verified', 'chain'), 'chain {{chain}}']),
        panel('Age of the running audit', 's', 'Of each process.', [
          `time() - ${most('mahjong_wallet_audit_begun_timestamp_seconds', 'pod')}`, '{{pod}}',
        ]),
        panel('Audits that got round', 'none', 'In a day.', [
          'sum by (namespace) (increase(mahjong_wallet_audits_total{namespace="$namespace"}[1d]))', 'audits',
        ]),
        panel('Steps of the audit', 'none', 'In an hour; 0 means that it stands still.', [
          'sum by (pod) (increase(mahjong_wallet_audit_steps_total{namespace="$namespace"}[1h]))', '{{pod}}',
        ]),
        panel('Partitions', 'none', 'Months to come that have theirs, and entries without one.',
          [most('mahjong_wallet_partitions_ahead'), 'months ahead'],
          [most('mahjong_wallet_misplaced_entries'), 'misplaced entries']),
        panel('Upkeep that failed', 'cps', 'Tried again every minute.', [rate('mahjong_wallet_upkeep_failures_total', 'pod'), '{{pod}}']),
      ],
      Calls: [
        panel('What moves coins', 'reqps', 'Calls that ended well.', [
          rate('mahjong_rpc_handled_total', 'method', 'service="wallet",code="OK",method=~"Deposit|Withdraw|SettleRound|ApplyPenalty|VoidRound|Adjust|Reverse"'),
          '{{method}}',
        ]),
        panel('SettleRound', 's', 'From begin to end.',
          [quantile(0.5, 'method', 'service="wallet",method="SettleRound"'), 'half'],
          [quantile(0.99, 'method', 'service="wallet",method="SettleRound"'), '99 %']),
        panel('Refused and failed', 'reqps', 'By code.', [
          rate('mahjong_rpc_handled_total', 'method, code', 'service="wallet",code!="OK"'), '{{method}} {{code}}',
        ]),
      ],
    },
  },
  matchmaking: {
    title: 'Mahjong: matchmaking',
    rows: {
      Queue: [
        panel('Tickets that wait', 'none', 'Of all replicas.', [most('mahjong_tickets_queued'), 'tickets']),
        panel('Longest wait', 's', 'Of those who wait now.', [most('mahjong_tickets_oldest_age_seconds'), 'oldest']),
        panel('Matches', 'cps', 'Made.', [rate('mahjong_matches_total', 'namespace'), 'matches']),
        panel('Tickets that expired', 'cps', 'Nobody fitted in time.', [rate('mahjong_tickets_expired_total', 'namespace'), 'tickets']),
        panel('Players held to sit', 'none', 'At any table.', [most('mahjong_seats_live'), 'players']),
        panel('Seats that ended', 'cps', 'Players who may queue again.', [rate('mahjong_seats_freed_total', 'namespace'), 'seats']),
      ],
      'Seating and feeds': [
        panel('Matches without a table', 'none', 'Of all replicas.', [most('mahjong_matches_unfinished'), 'matches']),
        panel('Oldest of them', 's', 'Seconds when all is well.', [most('mahjong_matches_unfinished_oldest_age_seconds'), 'oldest']),
        panel('Steps of seating', 'cps', 'By how they ended.', [rate('mahjong_matches_ended_total', 'how'), '{{how}}']),
        panel('Behind the table service', 's', 'By feed.', [most('mahjong_matchmaking_feed_lag_seconds', 'feed'), '{{feed}}']),
        panel('Told by the table service', 'cps', 'By feed.', [rate('mahjong_matchmaking_told_total', 'feed'), '{{feed}}']),
        panel('Failures', 'cps', 'Of what a replica does by itself.', [rate('mahjong_matchmaking_failures_total', 'what'), '{{what}}']),
      ],
    },
  },
  database: {
    title: 'Mahjong: PostgreSQL pools',
    rows: {
      Pools: [
        panel('Connections in use', 'none', 'By process.', [sum('mahjong_pg_connections', 'pod', 'state="in_use"'), '{{pod}}']),
        panel('Idle connections', 'none', 'By process.', [sum('mahjong_pg_connections', 'pod', 'state="idle"'), '{{pod}}']),
        panel('Calls that wait', 'none', 'For a connection.', [sum('mahjong_pg_waiting', 'pod'), '{{pod}}']),
        panel('Calls that gave up', 'none', 'In five minutes: no connection before their deadline.', [
          'sum by (pod) (increase(mahjong_pg_wait_timeouts{namespace="$namespace"}[5m]))', '{{pod}}',
        ]),
        panel('Connections made and broken', 'none', 'In five minutes.',
          ['sum by (job) (increase(mahjong_pg_connections_opened{namespace="$namespace"}[5m]))', '{{job}} made'],
          ['sum by (job) (increase(mahjong_pg_connections_lost{namespace="$namespace"}[5m]))', '{{job}} broken']),
        panel('Transactions run again', 'cps', 'They met others, or lost their connection.', [rate('mahjong_pg_reruns', 'job'), '{{job}}']),
      ],
    },
  },
};

const source = { type: 'prometheus', uid: '${datasource}' };
const chosen = (name, query, more = {}) => ({
  type: 'query', name, datasource: source, query: { query, refId: name }, definition: query, refresh: 2, sort: 1, ...more,
});

// What Grafana imports. Three panels a row; ids count within a dashboard.
export function grafana(name) {
  const { title, rows, services } = dashboards[name];
  const panels = [];
  let y = 0;
  const add = (p) => panels.push({ id: panels.length + 1, ...p });
  for (const [heading, list] of Object.entries(rows)) {
    add({ type: 'row', title: heading, collapsed: false, panels: [], gridPos: { x: 0, y, w: 24, h: 1 } });
    y += 1;
    for (const [at, p] of list.entries()) {
      add({
        type: 'timeseries',
        title: p.title,
        description: p.says,
        datasource: source,
        gridPos: { x: (at % 3) * 8, y: y + Math.floor(at / 3) * 8, w: 8, h: 8 },
        fieldConfig: { defaults: { unit: p.unit, min: 0 }, overrides: [] },
        options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } },
        targets: p.series.map(([expr, legendFormat], i) => ({
          refId: String.fromCharCode(65 + i), datasource: source, expr, legendFormat,
        })),
      });
    }
    y += Math.ceil(list.length / 3) * 8;
  }
  const variables = [
    { type: 'datasource', name: 'datasource', query: 'prometheus' },
    chosen('namespace', 'label_values(mahjong_rpc_started_total, namespace)'),
  ];
  if (services) {
    variables.push(chosen('service', 'label_values(mahjong_rpc_started_total{namespace="$namespace"}, service)', {
      includeAll: true, multi: true, allValue: '.+', current: { text: ['All'], value: ['$__all'] },
    }));
  }
  return {
    uid: `mahjong-${name}`,
    title,
    tags: ['mahjong'],
    schemaVersion: 39,
    editable: false,
    refresh: '30s',
    time: { from: 'now-3h', to: 'now' },
    templating: { list: variables },
    links: [{ type: 'dashboards', title: 'Mahjong', tags: ['mahjong'], asDropdown: true, includeVars: true, keepTime: true }],
    panels,
  };
}

export const text = (name) => `${JSON.stringify(grafana(name), null, 2)}\n`;
