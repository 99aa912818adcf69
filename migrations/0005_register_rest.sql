-- The budget of requests to the register's REST API, shared by all processes.
-- Safe with the previous release: yes (new table only).

-- One row. The requests granted in each of the last slots of time stand in an array, so that one update can forget the
-- oldest, add up the rest and grant: two processes can never take the same request.
create table register_rest_budget (
  only_one boolean primary key default true check (only_one),
  -- The number of the newest slot, counted from 1970.
  slot bigint not null default 0,
  -- Granted per slot, newest last; see src/register/details/rest-budget.ts for their number and length.
  granted integer[] not null default '{}',
  -- What the last grant gave; the update returns it.
  taken integer not null default 0,
  -- What the register says the key may send in five minutes; null before it said so.
  limit_told integer check (limit_told > 0),
  -- Nobody sends before this: the register refused, or someone else spends the same key.
  paused_until timestamptz not null default '-infinity'
);

insert into register_rest_budget default values;
