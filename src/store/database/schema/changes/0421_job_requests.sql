-- No command asks the server for a job any more.
DROP TABLE job_requests;
