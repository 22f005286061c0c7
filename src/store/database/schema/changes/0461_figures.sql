-- Figures are counted from the rows when they are read.
DROP TRIGGER requests_figures_added;
DROP TRIGGER requests_figures_changed;
DROP TRIGGER requests_figures_removed;
DROP TRIGGER offers_figures_added;
DROP TRIGGER offers_figures_changed;
DROP TRIGGER offers_figures_removed;
DROP TABLE figures_days;
DROP TABLE figures_stale;
