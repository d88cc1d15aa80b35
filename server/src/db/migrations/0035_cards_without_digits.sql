-- The sandbox card that a merchant gave a user by its number is kept and answered by its brand and last four digits:
-- `card_visa_4242`, which names the same card.

do $$
declare
  card text[];
  digits text;
  masked text;
begin
  foreach card slice 1 in array array[['4', 'visa'], ['5', 'mastercard'], ['37', 'amex'], ['6011', 'discover'],
    ['30', 'diners'], ['35', 'jcb'], ['62', 'unionpay']] loop
    digits := '("sandboxCustomerId": ?"card_)' || card[1] || '[0-9]*([0-9]{4})';
    masked := '\1' || card[2] || '_\2';
    update users set payment_data = regexp_replace(payment_data::text, digits, masked)::jsonb
      where payment_data::text ~ digits;
    update idempotency_keys set response = regexp_replace(response, digits, masked, 'g') where response ~ digits;
    update audit_log set before = regexp_replace(before::text, digits, masked, 'g')::jsonb,
        after = regexp_replace(after::text, digits, masked, 'g')::jsonb
      where before::text ~ digits or after::text ~ digits;
  end loop;
end $$;
