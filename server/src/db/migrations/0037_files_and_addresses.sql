-- What a file was uploaded for: a picture is shown to anybody, a download leaves by links of its buyers alone.

alter table files add column purpose text not null default 'download'
  check (purpose in ('picture', 'download'));
-- What an offer sells is no picture, whatever its type.
update files set purpose = 'picture'
where content_type in ('image/png', 'image/jpeg', 'image/webp', 'image/gif')
  and not exists (
    select from offers
    where offers.workspace_id = files.workspace_id and offers.test_mode = files.test_mode
      and offers.download_file_id = files.id);
alter table files alter column purpose drop default;

-- The most that one buyer may choose; null leaves it to what the offer sells.
alter table offers add column max_per_order integer check (max_per_order between 1 and 10000);

-- Addresses are compared by their domain in punycode: those whose domain was kept in another script are rewritten,
-- unless the address is there in both forms already.

create function to_ascii_label(label text) returns text language plpgsql immutable as $$
declare
  digits constant text := 'abcdefghijklmnopqrstuvwxyz0123456789';
  points integer[] := array(select ascii(sign) from string_to_table(label, null) as sign);
  basic text := (select coalesce(string_agg(chr(point), '' order by place), '')
    from unnest(points) with ordinality as p (point, place) where point < 128);
  encoded text := basic || case when basic = '' then '' else '-' end;
  done integer := length(basic);
  next integer := 128;
  bias integer := 72;
  delta bigint := 0;
  lowest integer;
  point integer;
  rest bigint;
  step integer;
  threshold integer;
begin
  if done = cardinality(points) then return label; end if;
  while done < cardinality(points) loop
    select min(p) into lowest from unnest(points) as p where p >= next;
    delta := delta + (lowest - next)::bigint * (done + 1);
    next := lowest;
    foreach point in array points loop
      if point < next then delta := delta + 1; end if;
      continue when point <> next;
      rest := delta;
      step := 36;
      loop
        threshold := greatest(1, least(26, step - bias));
        exit when rest < threshold;
        encoded := encoded
          || substr(digits, (threshold + (rest - threshold) % (36 - threshold))::integer + 1, 1);
        rest := (rest - threshold) / (36 - threshold);
        step := step + 36;
      end loop;
      encoded := encoded || substr(digits, rest::integer + 1, 1);
      delta := case when done = length(basic) then delta / 700 else delta / 2 end;
      delta := delta + delta / (done + 1);
      bias := 0;
      while delta > 455 loop
        delta := delta / 35;
        bias := bias + 36;
      end loop;
      bias := bias + (36 * delta / (delta + 38))::integer;
      delta := 0;
      done := done + 1;
    end loop;
    delta := delta + 1;
    next := next + 1;
  end loop;
  return 'xn--' || encoded;
end $$;

with rewritten as (
  select workspace_id, test_mode, id, split_part(email_normal, '@', 1) || '@' || (
    select string_agg(to_ascii_label(label), '.' order by place)
    from unnest(string_to_array(split_part(email_normal, '@', 2), '.')) with ordinality as l (label, place)
  ) as email_normal
  from users
  where split_part(email_normal, '@', 2) ~ '[^\x01-\x7f]'
)
update users set email_normal = rewritten.email_normal
from rewritten
where users.workspace_id = rewritten.workspace_id and users.test_mode = rewritten.test_mode
  and users.id = rewritten.id
  and not exists (
    select from users as other
    where other.workspace_id = rewritten.workspace_id and other.test_mode = rewritten.test_mode
      and other.email_normal = rewritten.email_normal);

drop function to_ascii_label;
