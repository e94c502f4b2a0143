// The pages about accounts.
