-- The pictures of the last start are not kept.
DROP TABLE media_files;
