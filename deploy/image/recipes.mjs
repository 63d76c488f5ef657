// What goes into each image: programs with the shared objects that they need, and files. Nothing else is there: no
// package manager, in a service's image no shell.
//
// programs: path in the image → where it comes from:
//   { built: "mj-x" }            of our build, stripped
//   { debian: "/usr/bin/x" }     of an installed Debian package
//   { npm: ["@a/b", "bin/x"] }   of an npm package, statically linked
// files: path in the image → file or folder of the repository.  packages: Debian packages taken whole, but for `without`.
const service = (name) => ({
  programs: {
    [`app/mj-${name}`]: { built: `mj-${name}` },
    // For whoever cannot probe gRPC, and for a look from inside.
    'app/mj-health': { built: 'mj-health' },
  },
  entrypoint: [`/app/mj-${name}`],
  ports: [7000, 9090],
});

const shell = {
  'bin/sh': { debian: '/bin/dash' },
  'bin/sleep': { debian: '/bin/sleep' },
};

export const recipes = {
  scoring: service('scoring'),
  wallet: service('wallet'),
  table: service('table'),
  matchmaking: service('matchmaking'),
  migrate: {
    programs: {
      ...shell,
      'app/dbmate': { npm: ['@dbmate/linux-x64', 'bin/dbmate'] },
      'app/psql': { debian: '/usr/lib/postgresql/15/bin/psql' },
    },
    files: {
      'app/migrations': 'migrations',
      'app/migrate': 'deploy/image/migrate/migrate.sh',
      'app/wait-for-schema': 'deploy/image/migrate/wait_for_schema.sh',
    },
    entrypoint: ['/app/migrate'],
    ports: [],
  },
  // For the overlay dev alone.
  postgres: {
    programs: {
      ...shell,
      'bin/cat': { debian: '/bin/cat' },
      'bin/mkdir': { debian: '/bin/mkdir' },
      'bin/rm': { debian: '/bin/rm' },
      'usr/bin/locale': { debian: '/usr/bin/locale' },
    },
    packages: ['postgresql-15', 'postgresql-client-15', 'tzdata'],
    // The compiler of queries is a hundred megabytes of LLVM; posix/ and right/ repeat all time zones.
    without: /llvmjit|\/bitcode\/|\/zoneinfo\/(posix|right)\/|^\/usr\/share\/(doc|man|locale|lintian|postgresql-common)\//,
    files: { 'app/postgres': 'deploy/image/postgres/postgres.sh' },
    entrypoint: ['/app/postgres'],
    ports: [5432],
  },
};
