-- The lists of all requests are sorted by first day and by value without passing over all of them.
CREATE INDEX requests_closed_by_start ON requests (start_date, seq, status, kind)
  WHERE hidden = 0 AND open = 0;
CREATE INDEX requests_closed_by_value ON requests (value_cents, seq, status, kind)
  WHERE hidden = 0 AND open = 0;
